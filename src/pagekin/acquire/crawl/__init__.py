"""A polite crawler that cannot lose its place: Scrapy in a child process, the collection as its memory.

source      the parent process: has a child fetch what the collection lacks, and hands it on as captures
child       the child process: one job in, captures out
spider      the crawl itself, on Scrapy's downloader
gate        the one place where requests are sent, each host in its turn
settings    everything that can be set
rules       which addresses may be visited
traps       which of those are too many of a kind
robots      what a robots.txt says
politeness  when a host may be asked
addresses   which machines may be connected to
sitemaps    what a sitemap lists
cdxj        the index of an archive, for programs that replay it
archive     what came over the wire, as WARC: kept for good, or until it is committed
"""
