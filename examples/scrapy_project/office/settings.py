"""An ordinary Scrapy project; the last three settings are Lodehound's."""

BOT_NAME = "office"
SPIDER_MODULES = ["office.spiders"]

ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS_PER_DOMAIN = 4  # few in flight: each choice knows what the last ones brought
TELNETCONSOLE_ENABLED = False

ADDONS = {"lodehound.scrapy.Lodehound": 100}
LODEHOUND_POLICY = "sb-classifier"
LODEHOUND_WANT = "files"
