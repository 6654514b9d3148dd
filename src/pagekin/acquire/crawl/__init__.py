"""A polite crawler that cannot lose its place: Scrapy in a child process, the collection as its memory.

source      the parent: what the collection lacks, asked of a child, handed on as captures
child       the child process: one job in, captures out
spider      the crawl itself, on Scrapy's downloader
gate        the one place where a host is asked, when its turn has come
settings    everything that can be set
rules       which addresses may be visited
traps       which of those there are too many of
robots      what a robots.txt says
politeness  when a host may be asked
addresses   which machines may be connected to
sitemaps    what a sitemap lists
archive     what came over the wire, as WARC: kept, or until it is committed
"""
