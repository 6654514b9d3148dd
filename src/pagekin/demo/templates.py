"""The four looks of the demo web: modern elements, nested divs with classes, plain early-2000s pages, and 1996."""

from dataclasses import dataclass
from string import Template

MODERN = """<!DOCTYPE html>
<html lang="$lang">
<head>
<meta charset="$charset">$head
<title>$title – $site</title>
<meta name="viewport" content="width=device-width">
<style>body { max-width: 44em; margin: auto; font-family: Georgia, serif } nav a { margin-right: 1em }</style>
</head>
<body>
<header><p>$site</p><nav>$nav</nav></header>
<main><article>
<h1>$title</h1>
$byline$body
</article></main>
<aside>$friends</aside>
<footer><p>© $site · $footer</p></footer>
</body>
</html>
"""

SOUP = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
  "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html lang="$lang">
<head><title>$title | $site</title>
<meta http-equiv="Content-Type" content="text/html; charset=$charset" />$head
<style type="text/css">
.wrap { width: 760px; margin: 0 auto; background: #ffffff; font-family: Verdana, sans-serif }
.bar { background-color: #334455; color: #ffffff }
.bar a { color: #ffffff }
.hd { font-weight: bold; font-size: 120%; color: #884400 }
.tx { color: #222222 }
.foot { background-color: #eeeeee; color: #777777; font-size: 80% }
</style></head>
<body><div class="wrap"><div class="top"><div class="bar"><div class="in">$nav</div></div></div>
<div class="mid"><div class="col"><div class="hd"><h1>$title</h1></div>
$byline<div class="cnt">
$body
</div></div></div>
<div class="foot"><div class="in">$site &middot; $footer</div></div></div></body></html>
"""

PLAIN = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">
<html lang="$lang">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=$charset">$head
<title>$title</title>
</head>
<body>
<div id="nav">$nav</div>
<h1>$title</h1>
$byline$body
<hr>
<p><small>$site, $footer</small></p>
</body>
</html>
"""

OLD = """<HTML><HEAD><TITLE>$title</TITLE>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=$charset">$head
</HEAD>
<BODY BGCOLOR="#FFFFEE" TEXT="#000000" LINK="#0000CC">
<TABLE WIDTH="100%" BGCOLOR="#CCDDCC"><TR><TD><FONT FACE="Arial" SIZE=2>$nav</FONT></TABLE>
<CENTER><H1><FONT COLOR="#663300">$title</FONT></H1></CENTER>
$byline$body
<HR>
<CENTER><FONT SIZE=1 COLOR="#666666">$footer<BR>
Questions? <A HREF="mailto:keeper@attic.example">Write to the keeper of the attic</A></FONT></CENTER>
</BODY></HTML>
"""

BARE = """<html><head><meta charset="$charset"><title>$title</title></head><body><h1>$title</h1>
$body
</body></html>
"""

BUTTON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='72' height='18'%3E"
    "%3Crect width='72' height='18' fill='%23696'/%3E"
    "%3Ctext x='20' y='13' font-size='12' fill='white'%3EAttic%3C/text%3E%3C/svg%3E"
)


@dataclass(frozen=True)
class Style:
    """How a site writes its pages: the frame, and each kind of part with `{}` for what it holds."""

    frame: Template
    paragraph: str = "<p>{}</p>"
    mark: str = '<p id="{}">{}</p>'
    heading: str = "<h2>{}</h2>"
    list: str = "<ul>\n{}\n</ul>"
    item: str = "<li>{}</li>"
    join_items: str = "\n"
    join_nav: str = " "
    byline: str = "<p><em>{}</em></p>\n"
    home: str = "{}"  # the text of the navigation's first link
    beside: str = '<table><tr><td valign="top">{}</td>\n<td valign="top">{}</td></tr></table>'
    relative: bool = True  # links within a host are written `../x.html`, else `/x.html`
    tag: str = "a"


STYLES = {
    "modern": Style(Template(MODERN), byline='<p class="by">{}</p>\n', relative=False),
    "soup": Style(
        Template(SOUP),
        paragraph='<div class="tx">{}</div>',
        mark='<div class="tx" id="{}">{}</div>',
        heading='<div class="hd">{}</div>',
        list='<div class="lst"><div class="in">\n{}\n</div></div>',
        item="{}",
        join_items="<br />\n",
        join_nav=" | ",
        byline='<div class="tx"><i>{}</i></div>\n',
    ),
    "plain": Style(Template(PLAIN), join_nav=" | "),
    "old": Style(
        Template(OLD),
        paragraph="<P>{}",
        mark='<P><A NAME="{}"></A>{}',
        heading='<H3><FONT FACE="Arial">{}</FONT></H3>',
        list="<UL>\n{}\n</UL>",
        item="<LI>{}",
        join_nav=" | ",
        byline="<FONT SIZE=2><I>{}</I></FONT>\n",
        home=f'<IMG SRC="{BUTTON}" ALT="{{}}" BORDER=0>',
        beside='<TABLE><TR><TD VALIGN=TOP BGCOLOR="#FFFFFF">{}\n<TD VALIGN=TOP BGCOLOR="#EEFFEE">{}</TABLE>',
        tag="A",
    ),
    "bare": Style(Template(BARE)),
}
