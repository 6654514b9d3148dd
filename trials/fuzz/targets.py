"""The table of what is fuzzed. A reader joins by one line: its name, its check, and pieces of what it reads."""

import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass
from zipfile import ZipFile

from trials.fuzz import checks

# What hurts any reader of text: bytes that are not UTF-8, halves of characters, marks, white space, long words.
ANY = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n", b"\t", b" ", b"\x0b", b"\x1b$B",
    b"\xc2\xa0", b"0", b"9" * 30, b"-1", b"1e9", b"nan", b"inf", b"a", b"A", b".", b"/", b"\\", b'"', b"'",
    *(text.encode() for text in ("é", "ﬀ", "İ", "蜜蜂", "かな", "\u0301", "\U0001f41d", "\u202e", "\u2028")),
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """Something that reads what others wrote."""

    check: Callable[[bytes], object]
    pieces: tuple[bytes, ...]  # from which inputs are made, besides those of `ANY`
    start: bytes = b""  # what most inputs begin with, because nothing else is read far


def _pieces(text: str, *others: bytes) -> tuple[bytes, ...]:
    """Pieces that are written with spaces between them; `␣`, `⏎` and `→` stand for a space, a line end and a tab."""
    signs = str.maketrans("␣⏎→", " \n\t")
    return (*(piece.translate(signs).encode() for piece in text.split()), *others)


_TAGS = _pieces(
    """a abbr address area article aside b base basefont big blockquote body br button center code dd details
    dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h6 head header
    hgroup hr html i iframe img input legend li link listing main map marquee math menu meta nav nobr noscript
    object ol optgroup option p param plaintext pre rp rt ruby script search section select small span strong
    style summary svg table tbody td template textarea tfoot th thead title tr tt u ul video wbr xmp"""
)
_HTML = (
    *(b"<%b>" % tag for tag in _TAGS),
    *(b"</%b>" % tag for tag in _TAGS),
    *_pieces(
        """<a␣href=x>y</a> <a␣href=x> <a␣href="http://b.example/?q#f"␣rel=nofollow> <a␣href=#top>
        <a␣href=mailto:x> <area␣href=x␣alt=y> <img␣alt="y␣z"> <img␣alt=y␣src=x> <base␣href=//b.example/>
        <frame␣src=x␣name=y> <iframe␣src=x> <link␣rel=canonical␣href=/x> <meta␣name=robots␣content=nofollow>
        <meta␣name=robots␣content=noindex> <meta␣charset=utf-16> <meta␣charset=gbk>
        <meta␣name=description␣content=x> <html␣lang=de> <p␣style="color:red;font:bold␣9px␣x"> <p␣class="x␣nav">
        <div␣id=footer> <font␣color=red␣size=+2␣face=x> <td␣bgcolor=#123456>
        <style>p{color:blue}.x{font-weight:bold}</style> <style> /* <body␣text=red> <!-- --> <!--> --!>
        <![CDATA[ ]]> <!doctype␣html> <?xml <?x> < </ <a␣ x= x=y␣ x="y"␣ " ' > /> = & &amp; &#0; &#x110000;
        &notit; &lt x␣ y␣ word␣ the␣ |␣ -- style= href= class= 3 <a␣/> <title␣/> <svg><title> <math><mi>"""
    ),
)
_URL = _pieces(
    """http:// https:// HTTP:/ ftp:// file:// file:/// mailto: javascript: // / \\ . .. ../ ./ %2e %2E%2e %2f %
    %% %4 %41 %C3%A9 %00 ? # ?# ; & = : :80 :443 :0 :65536 :99999999999 @ user:pw@ a.example example.com. www.
    xn-- xn--bcher-kva xn--a-0 bücher.example ß ． 。 ‌ [::1] [fe80::1%25eth0] [::ffff:1.2.3.4] [ ] 1.2.3.4 0x7f.1
    127.1 0300.0 256.256.256.256 1.2.3 1.2.3.. localhost a.b.c.d.e co.uk /index.html /default.asp /a/b/c?d=1
    /a/a /a/b/a/b ;jsessionid= ?sid=1 C: C| 10.1145/324133 a-b a--b - _ ~ ! $ * + , ( ) { } ^ ` | < > " ⏎
    h⏎ttp://"""
)
_STYLE = _pieces(
    """{ } /* */ " ' ( ) ; : , @media @import @font-face @ ! !important . # .x #x p h2.big * > \\ url( rgb(
    rgba( calc( var( color: background: background-color: font: font-size: font-weight: font-family: red teal
    transparent #fff #12345678 # 50% 1,2,3) 0,0,0,0) 1e9 .5em 12px 9pt 999999px -1px 1rem bold bolder 600 99999
    normal larger smaller x-small inherit p{color:red} {} a:hover{ <!-- --> +1 -9 7"""
)
_NUMBERS = _pieces("+ - . , % / e E rgb( rgba( ) # 0 f ff fff g 1 9 255 256 1e400 ␣ teal transparent chucknorris")
_CHARSETS = _pieces(
    """<meta <META␣ charset charset= charset␣=␣" http-equiv=content-type content="text/html;␣charset= utf-8
    utf-16 utf-7 gbk big5 iso-2022-jp shift_jis koi8-r x-user-defined replacement hz-gb-2312 windows-1252 latin1
    > /> " ' ; = ␣ <!-- --> <!-- <a <a␣ <a␣b= </a <? <! text/html; <meta␣charset=utf-8> <meta␣charset="gb18030">
    ⏎"""
)
_WORDS = _pieces(
    "the␣ a␣ der␣ και␣ и␣ bees␣ BEES, x_y don't 2024 12345678 ἀ ก ကျ ក្ 蜂 かな カナ 한국 עב ع ̈ ­ İ ı ſ ß — . ␣ ⏎"
)
_HTTP = _pieces(
    """HTTP/1.1␣200␣OK⏎ HTTP/1.0␣302␣Found⏎ HTTP/1.1␣404⏎ HTTP/ WWW␣Alert:⏎ Content-Type:␣text/html⏎
    Content-Type:␣image/png⏎ Content-Type: Location:␣/x⏎ Location:␣http://⏎ Location:
    Transfer-Encoding:␣chunked⏎ Content-Encoding:␣gzip⏎ Content-Encoding:␣br,zstd⏎ Content-Encoding:␣deflate⏎
    Date:␣Sun,␣06␣Nov␣1994␣08:49:37␣GMT⏎ Date: Sun,␣99␣Foo␣99999 X-Robots-Tag:␣otherbot:noindex⏎ ETag:␣x⏎
    Content-Language:␣de⏎ ⏎ ⏎⏎ <p>x<a␣href=y>z</a> <html> 5⏎Hello⏎ 0⏎ ffffffffffffff⏎ 1;x=y⏎ Retry-After: x:""",
    gzip.compress(b"<p>x", mtime=0),
    b"\r\n",
    b"\x28\xb5\x2f\xfd",
)
_PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x <a href=y>z</a>"
_RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(_PAGE), _PAGE)
)
_WARC = (
    _RECORD, gzip.compress(_RECORD, mtime=0), gzip.compress(b"", mtime=0), gzip.compress(_RECORD, mtime=0)[:-9], _PAGE,
    b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\r\n", b"\r\n\r\n", b"\nWARC/", b"\xff\xff\xff\xff",
    *_pieces(
        """WARC/1.0⏎ WARC/1.1⏎ WARC/9.9⏎ WARC-Type:␣response⏎ WARC-Type:␣resource⏎ WARC-Type:␣revisit⏎
        WARC-Type:␣x⏎ WARC-Target-URI:␣http://a.example/⏎ WARC-Target-URI:␣<dns:x>⏎
        WARC-Date:␣9999-99-99T99:99:99Z⏎ WARC-Date:␣0001-01-01T00:00:00Z⏎ WARC-Date: Content-Length:␣5⏎
        Content-Length:␣0⏎ Content-Length:␣-1⏎ Content-Length:␣99999999999999999999⏎ Content-Length:␣x⏎
        Content-Length: Content-Type:␣text/html⏎ X:␣y⏎ X-␣ ⏎ <html><a␣href=x>y</a>"""
    ),
)  # fmt: skip
_ARC_PAGE = b"http://a.example/ 192.0.2.1 20080430204825 text/html %d\n%b\n" % (len(_PAGE), _PAGE)
_ARC = (
    _ARC_PAGE, _PAGE,
    *_pieces(
        """http://a.example/␣192.0.2.1␣20080430204825␣text/html␣5⏎
        http://b/␣1␣99999999999999␣x␣99999999999999999999⏎ a:␣1␣2␣3␣0⏎ a:␣1␣2␣3␣²⏎
        filedesc://b␣0.0.0.0␣20080430204825␣text/plain␣9⏎2␣0␣x⏎ ⏎ x␣ x⏎ 1␣ ␣␣"""
    ),
)  # fmt: skip
_ARC_START = b"filedesc://a 0.0.0.0 20080430204825 text/plain 6\n1 0 x\n\n"


def _zip() -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as made:
        made.writestr("archive/a.warc", _RECORD)
    return packed.getvalue()


_ROW = b"http://a.example/,http://b.example/,x\n"
_TABLE = _pieces(
    """source,target,anchor⏎ source⏎ Source␣URL;Target␣URL⏎ source→target⏎ from,to,source_title,target_title⏎
    http://a.example/,http://b.example/x,y⏎ http://a.example/ http:// 1,2⏎ 1␣2⏎ 1␣␣2␣3⏎ a,b⏎ a;b⏎ , ; "" " "a,b"
    "a⏎b" "⏎ ," ",⏎ # #␣x⏎ % ⏎ ⏎⏎ ,,,, x y,""",
    b"1\t2\n",
    b"\t",
    b"\r\n",
    b"\x1a",
    b"a\0b,c\n",
    "é,ü\n".encode("latin-1"),
    b"PAR1",
    gzip.compress(b"a,b\n1,2\n", mtime=0),
)
_XML = _pieces(
    """<?xml␣version="1.0"?> <gexf> </gexf> <graphml> </graphml> <graph> </graph>
    <graph␣defaultedgetype="undirected"> <graph␣edgedefault="undirected"> <nodes> </nodes> <edges> </edges>
    <node␣id="1"> <node␣id="1"/> <node␣id="2"␣label="x"/> </node> <node/> <edge␣source="1"␣target="2"/>
    <edge␣source="1"␣target="2"␣type="mutual"> <edge/> </edge> <attributes> <attribute␣id="0"␣title="url"/>
    <key␣id="u"␣for="node"␣attr.name="url"/> <attvalue␣for="0"␣value="http://a.example/"/> <data␣key="u">
    </data> http://b.example/ <x:node␣id="3"␣xmlns:x="y"/> <!DOCTYPE␣x␣[<!ENTITY␣y␣"z">]> &y; &amp; &#0; &lt;
    <!-- --> <![CDATA[ ]]> <?x?> < > " = <a> </a> xmlns="x" ⏎"""
)
_PAJEK = _pieces(
    """*Vertices␣2⏎ *vertices⏎ *Network␣x⏎ *Arcs⏎ *Edges⏎ *Arcslist⏎ *Edgeslist⏎ *Matrix⏎ *⏎ * % %␣x⏎ 1␣"a"⏎
    2␣"b\\"c"⏎ 2␣http://b.example/⏎ 1␣"http://a.example/"␣0.1␣0.2⏎ 1␣2⏎ 2␣1␣3.5⏎ 1␣2␣3␣4⏎ 9␣9⏎ x⏎ "" " \\ 1 2 ␣
    ⏎"""
)
_JSON_LINES = _pieces(
    """{"source":"http://a.example/","target":"http://b.example/"}⏎
    {"url":"http://a.example/","links":["/b",{"href":"c","text":"d"}]}⏎ {"source":1,"target":2}⏎
    {"from":"a","to":null}⏎ {"source":[],"target":{}}⏎ {"source":"","target":"x"}⏎ {"links":[[[]]]}⏎ {}⏎ []⏎
    null⏎ { } [ ] : , "source" "target" "anchor" "url" "links" "href" "http://a.example/" "\\ud800" "\\u0000"
    1e999 -0 true "x" [[[[ {"a": ⏎"""
)
_FRONT = _pieces(
    """---⏎ +++⏎ ...⏎ { } title:␣ title␣=␣ "x" 'x' tags: tags:␣[a,␣b]⏎ tags␣=␣["a"]⏎ -␣a⏎ ␣␣-␣b⏎ -␣ &a␣ *a &a␣[*a]⏎
    <<:␣*a⏎ !!python/object:x !x draft:␣true⏎ draft␣=␣true⏎ slug:␣ url:␣/x/⏎ permalink:␣/:year/:title/⏎
    date:␣2024-01-02⏎ date␣=␣2024-01-02⏎ aliases:␣[/old/]⏎ >-⏎ |⏎ ␣␣ :␣ :⏎ "\\ud800" {"title":"x"}⏎
    [taxonomies]⏎ # ? %YAML␣1.2⏎ [ ] , {a:␣b} categories:␣a␣b⏎ → ⏎"""
)
_MARKDOWN = (
    *_FRONT,
    *_pieces(
        """#␣A⏎ A⏎=⏎ -␣ *␣ 1.␣ >␣ ␣␣␣␣ ``` ~~~ ` ** __ * _ ~~ [x](c.md) [x](b/c.md#d) [x](../x) [x](<a␣b>␣"t")
        [x][y] [y]:␣b/c.md⏎ [ ] ]( ) ![ ![x](y.png) [[a]] [[b/c|x]] [[c#d]] [[C]] [[ ]] ![[a]] [[x\\|y]]
        [[nothing]] <http://b.example/> http://b.example/x_y). https:// <a␣href="c.md">x</a> <a␣href= <a␣ </a>
        <div> </div> <!-- --> <script> <style> {{<␣ref␣"c.md"␣>}} {{%␣relref␣"b/c#x"␣%}} {{< >}} {{ }}
        {%␣link␣b/c.md␣%} {%␣post_url␣x␣%} {{␣"/x"␣|␣relative_url␣}} {% %} | |-|⏎ |a|b|⏎ \\ & &amp; ! <> ⏎⏎ ␣␣⏎
        --- ***⏎ x y␣ : http"""
    ),
)
_SMART = _pieces(
    """.I␣1⏎ .I␣2⏎ .I⏎ .I␣x⏎ .I␣999999999999999999999⏎ .T⏎ .W⏎ .B⏎ .A⏎ .K⏎ .N⏎ .C⏎ .X⏎ .Z⏎ 1␣5␣2⏎ 1␣4␣1⏎ 2␣6␣1⏎
    1␣7␣1⏎ 1␣5⏎ ⏎ x⏎ CACM␣December,␣1958⏎ the␣bees⏎ May,␣9999⏎ .␣ .I""",
)
_LINQS = _pieces("p1␣ p2␣ 0␣ 1␣ 2␣ 9999999999␣ ²␣ -1␣ class⏎ ⏎ x␣y⏎ http:// http://a.example/␣ p1␣p2⏎ p␣0␣1␣0␣c⏎ # ,")
_NODES = _pieces(
    """2⏎ 0⏎ 99999999999999999999⏎ -1⏎ ²⏎ 0␣(0)␣[R]⏎ 1␣(7)␣[I]⏎ 0␣( 1␣(1)␣[O]⏎ http://a.example/⏎ http://
    A␣title⏎ &amp;&#0;&#xD800;⏎ 1␣1⏎ 5␣ ⏎ 0␣(0)␣[R]⏎http://a.example/⏎A⏎1␣1⏎ 999999999999999999999␣(0)␣[R]⏎"""
)
_LISTS = _pieces("0:␣ 1:␣ 0: 1␣ 7␣ -1⏎ -1 0:␣1␣-1⏎ 1:␣0␣0␣-1⏎ 0:␣-1⏎ 999999999999999999999␣ ² : ⏎ x ␣ ␣␣")
_ROBOTS = _pieces(
    """User-agent:␣*⏎ User-agent:␣pagekin⏎ user-agent: User-Agent:␣pagekin/1.0␣(x)⏎ useragent:x⏎ Disallow:␣/⏎
    Disallow:⏎ Disallow:␣/*.gif$⏎ Disallow:␣/*/*/*/*/b⏎ Disallow: Allow:␣/b⏎ Allow:␣ Crawl-delay:␣1⏎
    Crawl-delay:␣1e9⏎ Crawl-delay:␣nan⏎ Crawl-delay:␣-1⏎ Crawl-delay:␣inf⏎ Crawl-delay: Request-rate:␣1/5⏎
    Request-rate:␣1/0⏎ Request-rate:␣0/1⏎ Request-rate:␣1/9999999999d⏎ Request-rate:␣1/1h␣1200-0100⏎
    Request-rate: Visit-time:␣0600-0845⏎ Sitemap:␣http://a.example/s.xml⏎ Sitemap: Host:␣x⏎ Clean-param:␣x⏎ # ⏎
    : * $ % %2 %ff /b/c *b *␣ ␣ /"""
)
_SITEMAP = _pieces(
    """<urlset> <url><loc>http://a.example/b</loc></url> <sitemapindex> <loc <loc> <loc␣ </loc> <x:loc>
    <image:loc> <![CDATA[ ]]> http://a.example/ http://a.example/?a&amp;b http://a.example/c⏎ &#0; &#xD800; &lt
    &amp; < > : :loc ⏎ ftp://a/ http:// <?xml␣version="1.0"?> <!ENTITY x:""",
    gzip.compress(b"<urlset><loc>http://a.example/z</loc>", mtime=0),
    b"\x1f\x8b\x08",
    b"x" * 100,
    b" " * 50,
)
_METHOD = _pieces(
    """amsler co-citation assisted block integrated walk simrank hits answers similarity inverted ( ) () , = ␣ ⏎
    none true false (direct=false) max_in=5 alpha=0.25 alpha=nan alpha=inf alpha=-1 alpha=1e999 measure=amsler
    measure=coupling delta=0.1 theta=0.1 k=1 near=3 least=0 method=link method=link(theta=0.1, =1 1_0 ٣ 1e9 0x1
    -0.0 -0 9 (( )) block(scope=site) scope=page decay=0.5 x="""
)
_JSON = _pieces(
    """{ } [ ] , : " "x" 0 1 -1 1e999 99999999999999999999 null true false NaN Infinity {} [] "\\ud800" "parts":
    "indexes": "retired": "format": "format":2, "version": "version":1, "canonical":1, "checksum":
    "checksum":null, "name": "name":"000001-0a1b2c3d", "rows":{"pages":1}, "rows": "checksums":{}, "holds":[],
    "holds": "part": "index": "tables":{}, "settings":{}, "settings": "path":"x", "files": "files":{"a":[1,2]},
    "parts":[], "indexes":{}, "retired":[], "icann_only":false, "segmenters":{}, "a":1"""
)
_MANIFEST = b'{"version":1,"parts":[],"indexes":{},"retired":[],"canonical":1,"format":2'
_PART = (
    b'{"part":{"name":"000001-0a1b2c3d","rows":{"pages":1},"checksums":{},"holds":[]},"tables":{},"settings":{},"version":1,'
    b'"name":"graph","index":{"path":"x","version":1,"parts":[]}'
)

TARGETS = {
    "url": Target(checks.url, _URL),
    "url-parts": Target(checks.url_parts, _URL, b"http://a.example/"),
    "html": Target(checks.page, _HTML),
    "xhtml": Target(checks.xhtml, _HTML),
    "see-also": Target(checks.listed, (*_HTML, b"<!-- pagekin -->", b"<div data-pagekin>", b"<div role=main>")),
    "style": Target(checks.css, _STYLE),
    "colour": Target(checks.colour, _NUMBERS),
    "encoding": Target(checks.decoding, _CHARSETS),
    "words": Target(checks.wording, _WORDS),
    "http": Target(checks.response, _HTTP, b"HTTP/1.1 200 OK\n"),
    "warc": Target(checks.archive, _WARC, _RECORD),
    "arc": Target(checks.archive, _ARC, _ARC_START),
    "wacz": Target(checks.zipped, (*_WARC, _zip(), _zip()[:30], _zip()[-60:], b"PK\x05\x06"), _zip()),
    "edges": Target(checks.table, _TABLE, _ROW),
    "gexf": Target(checks.graph_file, _XML, b"<gexf><graph><nodes>"),
    "graphml": Target(
        checks.graph_file, _XML, b'<graphml><key id="u" for="node" attr.name="url"/><graph><node id="1"><data key="u">'
    ),
    "pajek": Target(checks.graph_file, _PAJEK, b"*Vertices 2\n"),
    "jsonl": Target(checks.json_lines, _JSON_LINES, b'{"source":"http://a.example/","target":"http://b.example/"}\n'),
    "front-matter": Target(checks.front_matter, _FRONT, b"---\n"),
    "markdown": Target(checks.markdown_folder, _MARKDOWN),
    "zip": Target(
        checks.zip_file, (*_HTML[:40], *_MARKDOWN[-20:], _zip(), _zip()[:30], _zip()[-60:], b"PK\x05\x06"), _zip()
    ),
    "vectors": Target(checks.vectors, (b"PAR1", b"http://a.example/", b"\n", b"\0\0\xc0\x7f", b"\0\0\x80\x3f")),
    "smart": Target(checks.smart_file, _SMART, b".I 1\n.T\nx\n"),
    "linqs-content": Target(checks.linqs_content, _LINQS, b"p0 0 1 0 c\n"),
    "linqs-cites": Target(checks.linqs_cites, _LINQS, b"p0 p1\n"),
    "nodes": Target(checks.nodes, _NODES, b"2\n"),
    "adj_list": Target(checks.lists, _LISTS),
    "guess": Target(checks.guessed, (*_TABLE, *_SMART, *_HTTP, *_ARC, *_XML, b"<!---->", *_PAJEK, *_JSON_LINES)),
    "robots": Target(checks.robots_txt, _ROBOTS, b"User-agent: *\n"),
    "sitemap": Target(checks.sitemap, _SITEMAP, b"<urlset>"),
    "method": Target(checks.method_text, _METHOD),
    "manifest": Target(checks.manifest_file, _JSON, _MANIFEST),
    "descriptions": Target(checks.descriptions, _JSON, _PART),
}
