/* Versions, consumers, dialects. */
#include "check.h"

static const char kConsumers[] =
    "{\"consumers\": [{\"package\": \"plugin\", \"version\": \"2.1\", \"stablehlo\": \"1.4.0\", "
    "\"dialects\": [\"chlo\"], \"lacks_types\": [\"f4E2M1FN\"]}]}";
static const char kOldConsumer[] =
    "{\"consumers\": [{\"package\": \"plugin\", \"version\": \"1\", \"stablehlo\": \"0.1.0\"}]}";
static const char kDialect[] =
    "dialect = \"acme\"\n"
    "[[version]]\nnumber = 1\n"
    "[[op]]\nname = \"scale\"\n";

static void test_consumers(void) {
  shlo_consumers* consumers = NULL;
  shlo_consumer* consumer = NULL;
  shlo_consumer_info info = SHLO_CONSUMER_INFO_INIT;
  shlo_buffer* buffer = NULL;
  OK(shlo_consumers_create(kConsumers, strlen(kConsumers), &consumers));
  CHECK(shlo_consumers_count(consumers) > 10);
  CHECK(shlo_consumer_get(shlo_consumers_at(consumers, 0), &info));
  CHECK(equals(info.name, "plugin 2.1") && equals(info.release, "1.4.0") && info.version == 57);
  CHECK(!shlo_consumers_at(consumers, 1000000));
  OK(shlo_consumer_find(consumers, "plugin>=2", NULL, &consumer));
  CHECK(shlo_consumer_get(consumer, &info));
  CHECK(equals(info.package, "plugin") && equals(info.package_version, "2.1") && !info.is_version);
  OK(shlo_consumers_json(consumers, &buffer));
  CHECK(has(buffer, "\"lacks_types\""));
  OK(shlo_consumers_json(consumers, &buffer));
  CHECK(has(buffer, "\"cannot_compile\""));
  shlo_consumers_free(consumers);
  /* A consumer that was found needs no list. */
  CHECK(shlo_consumer_get(consumer, &info) && equals(info.name, "plugin 2.1"));
  shlo_consumer_free(consumer);
  OK(shlo_consumer_find(NULL, "jaxlib==0.4.30", NULL, &consumer));
  CHECK(shlo_consumer_get(consumer, &info) && equals(info.package, "jaxlib") && equals(info.assumed_as, ""));
  shlo_consumer_free(consumer);
  /* Nothing is known of this version: what is said of it is a guess. */
  OK(shlo_consumer_find(NULL, "jaxlib==0.4.32", NULL, &consumer));
  CHECK(shlo_consumer_get(consumer, &info) && equals(info.package_version, "0.4.32"));
  CHECK(equals(info.assumed_as, "0.4.31") && equals(info.name, "jaxlib 0.4.32 (assumed as 0.4.31)"));
  shlo_consumer_free(consumer);
  OK(shlo_consumer_find(NULL, "WEEK_12", "2026-01-01", &consumer));
  CHECK(shlo_consumer_get(consumer, &info) && info.is_version);
  shlo_consumer_free(consumer);
  CHECK(!shlo_consumer_get(NULL, &info));
  FAILS(shlo_consumer_find(NULL, "jaxlib=0.4", NULL, &consumer), SHLO_CODE_USAGE, "");
  CHECK(!consumer);
  FAILS(shlo_consumers_create("[]", 2, &consumers), SHLO_CODE_USAGE, "not a JSON object");
  CHECK(!consumers && shlo_consumers_count(NULL) == 0);
  FAILS_WITH(shlo_consumers_create(kOldConsumer, strlen(kOldConsumer), &consumers), SHLO_CODE_UNKNOWN_VERSION,
             "release 0.1.0 of 'plugin' 1 is older than the first release", "");
  CHECK(!consumers);
}

void test_versions(void) {
  shlo_version version = 7;
  shlo_version_info info = SHLO_VERSION_INFO_INIT;
  shlo_dialect* dialect = NULL;
  size_t i;
  CHECK(shlo_api_version() == ((uint32_t)SHLO_API_MAJOR << 16 | SHLO_API_MINOR));
  CHECK(strlen(shlo_library_version()) >= 5);
  CHECK(shlo_version_minimum() == 37 && shlo_version_first_release() == 41);
  CHECK(shlo_version_count() > 30 && shlo_version_at(shlo_version_count()) == 0);
  CHECK(shlo_version_at(shlo_version_count() - 1) == shlo_version_current());
  for (i = 1; i < shlo_version_count(); ++i) CHECK(shlo_version_at(i - 1) < shlo_version_at(i));
  CHECK(shlo_version_get(62, &info));
  CHECK(equals(info.release, "1.9.0") && info.year == 2025 && info.month == 1 && info.bytecode_format == 6);
  CHECK(info.change.size > 0 && !info.date_is_bound);
  CHECK(!shlo_version_get(36, &info) && !shlo_version_get(1u << 20, &info));
  OK(shlo_version_parse("1.9", NULL, &version));
  CHECK(version == 62);
  OK(shlo_version_parse("2025-02-01", NULL, &version));
  CHECK(version == 62);
  OK(shlo_version_parse("current", NULL, &version));
  CHECK(version == shlo_version_current());
  FAILS(shlo_version_parse("99.0.0", NULL, &version), SHLO_CODE_UNKNOWN_VERSION, "99");
  CHECK(version == 0);
  FAILS(shlo_version_parse("WEEK_4", "yesterday", &version), SHLO_CODE_USAGE, "yesterday");
  test_consumers();
  OK(shlo_dialect_read(kDialect, strlen(kDialect), "acme.toml", &dialect));
  CHECK(equals(shlo_dialect_name(dialect), "acme"));
  shlo_dialect_free(dialect);
  FAILS(shlo_dialect_read("nonsense", 8, NULL, &dialect), SHLO_CODE_USAGE, "");
  CHECK(!shlo_dialect_name(NULL).data);
}
