#include "archive/sqlite.h"

#include <sqlite3.h>

#include <new>

#include "base/format.h"

namespace shlo::archive {
namespace {

// More than the longest line of a journal.
constexpr int kLongestValue = 128 << 20;

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

Result<std::unique_ptr<Database>> Database::Open(uint64_t size,
                                                 const std::function<Result<void>(char* image)>& read) {
  unsigned char* image = nullptr;
  if (size > 0) {
    image = static_cast<unsigned char*>(sqlite3_malloc64(size));
    if (!image) throw std::bad_alloc();
    if (auto done = read(reinterpret_cast<char*>(image)); !done) {
      sqlite3_free(image);
      return tl::unexpected(std::move(done.error()));
    }
  }
  std::unique_ptr<Database> db(new Database());
  int code = sqlite3_open_v2(":memory:", &db->db_,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) sqlite3_free(image);
  // Frees the image also if it fails.
  if (code == SQLITE_OK)
    code = sqlite3_deserialize(db->db_, "main", image, sqlite3_int64(size), sqlite3_int64(size),
                               SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (code != SQLITE_OK) {
    db->Fail(code);
    return tl::unexpected(db->status().error());
  }
  auto most = sqlite3_int64(kMostBytes);
  sqlite3_file_control(db->db_, "main", SQLITE_FCNTL_SIZE_LIMIT, &most);
  sqlite3_limit(db->db_, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(db->db_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  db->Run("PRAGMA cell_size_check=ON; PRAGMA journal_mode=MEMORY; PRAGMA temp_store=MEMORY;");
  return db;
}

Database::~Database() { sqlite3_close(db_); }

void Database::Fail(int code) {
  if (code_ != 0) return;
  code_ = code;
  message_ = db_ && sqlite3_errcode(db_) != SQLITE_OK ? sqlite3_errmsg(db_) : sqlite3_errstr(code);
}

Result<void> Database::status() const {
  if (code_ == 0) return {};
  if ((code_ & 255) == SQLITE_NOMEM) throw std::bad_alloc();
  return Error(Code::kIo, StrFormat("the catalog cannot be used: {}", message_), {},
               "run 'shlo-compat archive rebuild'");
}

void Database::Run(const std::string& sql) {
  if (!ok()) return;
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) Fail(code);
}

std::string_view Database::Image() {
  if (!ok()) return {};
  sqlite3_int64 size = 0;
  const auto* const data =
      reinterpret_cast<const char*>(sqlite3_serialize(db_, "main", &size, SQLITE_SERIALIZE_NOCOPY));
  return data ? std::string_view(data, size_t(size)) : std::string_view();
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
