"""Products by class, so that one can take the place of another that does the same job, and versions of named things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apps.engine.language.word_lists import listed
from apps.engine.memory.values.value import Kind, Value

CLASSES: Mapping[str, str] = {
    "database": """postgresql postgres mysql mariadb sqlite mongodb mongo cockroachdb cockroach cassandra dynamodb
        redshift snowflake bigquery clickhouse databricks duckdb timescaledb timescale influxdb neo4j firestore
        supabase oracle planetscale couchdb elasticsearch opensearch db2 mssql""",
    "cache": "redis memcached valkey dragonfly",
    "queue": "kafka rabbitmq celery sqs nats pulsar sidekiq pubsub activemq rq",
    "framework": """django flask fastapi rails laravel symfony spring express fastify nestjs nextjs next.js nuxt remix
        sveltekit svelte react vue angular astro gatsby phoenix gin fiber actix axum livewire htmx ember solid qwik
        blazor flutter swiftui""",
    "engine": "unity godot unreal bevy phaser gamemaker",
    "programming language": """python javascript typescript java kotlin golang rust ruby php elixir scala swift clojure
        haskell perl dart zig julia fortran cobol c++ c#""",
    "runtime": "node nodejs node.js deno bun jvm",
    "hosting": """hetzner aws azure gcp heroku vercel netlify render fly.io railway digitalocean linode ovh scaleway
        cloudflare ec2 lambda fargate kubernetes k8s nomad openshift dokku lightsail ionos strato nakama playfab""",
    "operating system": """ubuntu debian fedora centos alpine arch windows macos nixos rhel android ios zephyr freertos
        rocky almalinux""",
    "editor": "vscode vim neovim emacs pycharm intellij zed cursor sublime webstorm xcode",
    "source host": "github gitlab bitbucket gitea forgejo codeberg",
    "build service": "jenkins circleci travis buildkite teamcity drone argocd",
    "package manager": "npm yarn pnpm pip poetry uv pipenv conda cargo maven gradle",
    "test runner": "pytest unittest jest vitest mocha cypress playwright selenium jasmine rspec",
    "monitoring": "datadog grafana prometheus sentry newrelic honeycomb splunk kibana pagerduty opsgenie",
    "chat": "slack teams discord mattermost zulip rocketchat whatsapp telegram signal matrix",
    "video call": "zoom meet webex jitsi whereby skype",
    "ticket system": "jira linear trello asana shortcut clickup monday.com basecamp youtrack redmine todoist",
    "notes": "notion obsidian evernote onenote confluence roam logseq bear coda",
    "payment": "stripe paypal mollie adyen klarna braintree gocardless worldpay checkout.com wise revolut",
    "till": "square lightspeed sumup zettle toast clover shopify vend loyverse",
    "shop system": "woocommerce magento shopware prestashop bigcommerce squarespace wix wordpress webflow ghost etsy",
    "bookkeeping": "xero quickbooks sage freeagent datev lexoffice freshbooks wave odoo sap",
    "mail service": "mailgun sendgrid postmark mailchimp ses brevo gmail outlook fastmail protonmail hey klaviyo",
    "podcast host": "transistor podbean buzzsprout libsyn anchor acast captivate spreaker simplecast",
    "audio editor": "reaper audacity ableton logic audition garageband descript cubase protools hindenburg",
    "design tool": "figma sketch canva photoshop illustrator affinity indesign penpot gimp blender inkscape",
    "orchestrator": "airflow dagster prefect luigi argo temporal",
    "data engine": "spark dbt flink beam hadoop trino presto hive",
    "language model": "gpt claude gemini llama mistral deepseek qwen copilot chatgpt",
    "router": "fritzbox unifi eero orbi mikrotik openwrt speedport deco airport",
    "chip": "esp32 esp8266 stm32 nrf52840 nrf54l15 rp2040 attiny arduino raspberry jetson",
    "phone": "iphone pixel galaxy fairphone oneplus xiaomi nokia",
    "laptop": "macbook thinkpad xps framework-laptop surface chromebook latitude",
    "car": """tesla toyota volvo bmw audi volkswagen skoda renault peugeot ford honda hyundai kia mazda fiat mercedes
        dacia nissan polestar""",
    "streaming": "netflix spotify deezer tidal hulu disney+",
    "airline": """lufthansa klm ryanair easyjet emirates qantas swissair wizzair eurowings iberia vueling finnair
        norwegian turkish-airlines jetblue ita""",
    "supermarket": """aldi lidl tesco sainsbury's waitrose rewe edeka carrefour mercadona migros coop spar asda
        morrisons""",
    "bank": "barclays hsbc monzo starling n26 ing santander lloyds natwest sparkasse commerzbank",
    "carrier": "dhl ups fedex dpd hermes gls postnl evri royal-mail bpost",
    "style sheet": "tailwind bootstrap bulma sass less material",
    "music notation": "sibelius musescore finale dorico",
    "character encoding": "utf-8 utf-16 utf8 latin-1 latin1 windows-1252 cp1252 ascii iso-8859-1",
    "number format": "json yaml toml xml csv parquet avro protobuf",
    "unit system": "metric imperial celsius fahrenheit",
    "spelling": "british american",
    "protocol": "rest graphql grpc soap websocket websockets mqtt",
    "network line": "dsl fibre fiber cable lte starlink glasfaser",
}
_ALIASES = {
    "postgres": "postgresql",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "nodejs": "node",
    "node.js": "node",
    "next.js": "nextjs",
    "utf8": "utf-8",
    "latin1": "latin-1",
    "cp1252": "windows-1252",
    "fiber": "fibre",
    "glasfaser": "fibre",
    "timescale": "timescaledb",
    "cockroach": "cockroachdb",
    "websockets": "websocket",
}
# Everyday words: a product only with a capital letter.
_COMMON_WORDS = listed(
    """square render sketch signal matrix teams meet wave sage bear beam anchor toast clover linear shortcut spring gin
    fiber express solid less material zoom wise notion logic presto hive fly arch rocky cursor surface pixel galaxy
    swift go rust ruby java python dart julia deco airport finale next remix phoenix ember cable ghost hey ups raspberry
    cargo conda poetry drone luigi argo temporal ing american british ford focus oracle spark lambda cassandra pulsar
    unity sublime reaper audition captivate llama framework windows basecamp outlook meet checkout.com tidal
    norwegian ita coop spar emirates"""
)
_CLASS_OF = {name: kind for kind, names in CLASSES.items() for name in names.split()}
_PRODUCT = re.compile(
    rf"(?<![\w.#/@-])(?P<name>{'|'.join(map(re.escape, sorted(_CLASS_OF, key=len, reverse=True)))})(?![\w/@-]|\.\w)"
    r"(?: v?(?P<version>\d+(?:\.\d+)*)\b)?",
    re.IGNORECASE,
)
# A capitalized name with a number behind it, "Zephyr 4.1"; a number with a unit counts something.
_VERSIONED = re.compile(
    r"\b(?P<name>(?!I\b|In\b|At\b|On\b|From\b|By\b|The\b|And\b|So\b|St\b|About\b|Around\b|Only\b|Up\b|Now\b|Since\b|Until\b"
    r"|We\b|For\b|It\b|That\b|Has\b|My\b|Our\b|Make\b)[A-Z][A-Za-z+#]*[a-z+#]|[A-Z]{2,6})"
    r" v?(?P<version>\d+(?:\.\d+)+|\d{1,4})\b"
    r"(?!\s?[:%€]|\.\d| (?:[a-z]+s|a|per|to|or|and)\b)"
)
_NO_NAMES = listed(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug
    sept sep oct nov dec monday tuesday wednesday thursday friday saturday sunday room chapter page table number level
    gate line platform size port age order"""
)


def products(text: str) -> Iterator[Value]:
    """The known products in a text with their class, and the versions of named things.

    >>> [(one.group, one.text) for one in products("we left MySQL for Postgres, and Falco 3 for Falco 4")]
    [('database', 'mysql'), ('database', 'postgresql'), ('falco', '3'), ('falco', '4')]
    """
    used: list[tuple[int, int]] = []
    for match in _PRODUCT.finditer(text):
        name = match["name"].lower()
        if name in _COMMON_WORDS and not match["name"][0].isupper():
            continue
        used.append(match.span())
        canonical = _ALIASES.get(name, name)
        yield Value(Kind.PRODUCT, _CLASS_OF[name], canonical, *match.span("name"))
        if match["version"]:
            yield Value(Kind.VERSION, canonical, match["version"], *match.span())
    for match in _VERSIONED.finditer(text):
        name = match["name"].lower()
        if name not in _NO_NAMES and not any(a < match.end() and match.start() < b for a, b in used):
            yield Value(Kind.VERSION, name, match["version"], *match.span())
