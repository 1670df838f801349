#include "archive/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <new>

namespace shlo::archive {
namespace {

// How long a reader waits for the writer to exchange a few pages.
constexpr int kBusyMilliseconds = 20'000;

}  // namespace

Statement::Statement(Database& db, std::string_view sql) : db_(db) {
  if (!db_.ok()) return;
  const int code = sqlite3_prepare_v3(db_.db_, sql.data(), int(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement_, nullptr);
  if (code != SQLITE_OK) db_.Fail(code);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::Number(uint64_t value) {
  if (db_.ok() && sqlite3_bind_int64(statement_, next_++, int64_t(value)) != SQLITE_OK)
    db_.Fail(SQLITE_NOMEM);
  return *this;
}

Statement& Statement::Text(std::string_view value) {
  const char* const data = value.empty() ? "" : value.data();
  if (db_.ok() &&
      sqlite3_bind_text64(statement_, next_++, data, value.size(), SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK)
    db_.Fail(SQLITE_NOMEM);
  return *this;
}

Statement& Statement::Blob(std::string_view value) {
  const char* const data = value.empty() ? "" : value.data();
  if (db_.ok() && sqlite3_bind_blob64(statement_, next_++, data, value.size(), SQLITE_STATIC) != SQLITE_OK)
    db_.Fail(SQLITE_NOMEM);
  return *this;
}

bool Statement::Step() {
  if (!db_.ok()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) db_.Fail(code);
  Reset();
  return false;
}

void Statement::Reset() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  next_ = 1;
}

uint64_t Statement::NumberAt(int column) const { return uint64_t(sqlite3_column_int64(statement_, column)); }

std::string_view Statement::TextAt(int column) const {
  const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return data ? std::string_view(data, size_t(sqlite3_column_bytes(statement_, column))) : std::string_view();
}

std::string_view Statement::BlobAt(int column) const {
  const auto* const data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return data ? std::string_view(data, size_t(sqlite3_column_bytes(statement_, column))) : std::string_view();
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, bool create, bool read_only) {
  std::unique_ptr<Database> db(new Database(path.empty() ? "the catalog in memory" : path));
  const int mode = read_only ? SQLITE_OPEN_READONLY
                             : SQLITE_OPEN_READWRITE | (create || path.empty() ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.empty() ? ":memory:" : path.c_str(), &db->db_,
                                   mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) {
    db->Fail(code);
    return tl::unexpected(db->status().error());
  }
  sqlite3_busy_timeout(db->db_, kBusyMilliseconds);
  return db;
}

Database::~Database() { sqlite3_close(db_); }

void Database::Fail(int code) {
  if (code_ != 0) return;
  code_ = code;
  message_ = db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(code);
}

Result<void> Database::status() const {
  if (code_ == 0) return {};
  if ((code_ & 255) == SQLITE_NOMEM) throw std::bad_alloc();
  return Error(Code::kIo, fmt::format("the catalog cannot be used: {}", message_), {.file = path_},
               "delete it, or pass --catalog=FILE to put it elsewhere; it is made again from the packs");
}

bool Database::damaged() const {
  const int code = code_ & 255;
  return code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_SCHEMA ||
         code == SQLITE_CONSTRAINT;
}

void Database::Run(const std::string& sql) {
  if (!ok()) return;
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) Fail(code);
}

void Database::CopyFrom(Database& other) {
  if (!ok()) return;
  sqlite3_backup* const backup = sqlite3_backup_init(db_, "main", other.db_, "main");
  if (!backup) return Fail(sqlite3_errcode(db_));
  int code = SQLITE_OK;
  do {
    code = sqlite3_backup_step(backup, 4096);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) sqlite3_sleep(20);
  } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) Fail(code);
}

Changes::~Changes() {
  // After a failure the database is closed, which undoes them as well.
  if (!done_) db_.Run("ROLLBACK");
}

Result<void> Changes::Commit() {
  db_.Run("COMMIT");
  done_ = db_.ok();
  return db_.status();
}

}  // namespace shlo::archive
