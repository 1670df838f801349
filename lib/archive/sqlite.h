// SQLite with errors as values. After the first failure a database does nothing more, so that callers may
// check once per run of statements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "shlo/diagnostics.h"

struct sqlite3;
struct sqlite3_stmt;

namespace shlo::archive {

class Database;

// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement(Database& db, std::string_view sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // Binds the next parameter. A view must stay valid until the next Step.
  Statement& Number(uint64_t value);
  Statement& Text(std::string_view value);
  Statement& Blob(std::string_view value);
  // Returns whether there is a row; after the last one, or after a failure, the statement is as it was
  // before.
  bool Step();
  // Runs a statement without rows.
  void Run() {
    while (Step()) {
    }
  }
  // Ends it early.
  void Reset();

  uint64_t NumberAt(int column) const;
  // Valid until the next Step.
  std::string_view TextAt(int column) const;
  std::string_view BlobAt(int column) const;

 private:
  Database& db_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;
};

// A database in memory. SQLite is restricted, because a stranger may have made the image: no triggers, no
// views, no other databases.
class Database {
 public:
  // The size that SQLite can have in memory: it allocates it at once.
  static constexpr uint64_t kMostBytes = uint64_t(2'000) << 20;

  // Opens a copy of an image, which `read` puts into the given buffer of `size` bytes; an empty database for
  // 0. Fails with what `read` returns.
  static Result<std::unique_ptr<Database>> Open(uint64_t size,
                                                const std::function<Result<void>(char* image)>& read = {});
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Runs statements without parameters.
  void Run(const std::string& sql);
  // Returns the image, valid until the next change; empty after a failure.
  std::string_view Image();
  bool ok() const { return code_ == 0; }
  // Returns what failed first, or success.
  Result<void> status() const;
  // Notes a failure.
  void Fail(int code);

 private:
  friend class Statement;
  Database() = default;

  sqlite3* db_ = nullptr;
  int code_ = 0;
  std::string message_;
};

// Makes several changes one. Without Commit they are undone.
class Changes {
 public:
  explicit Changes(Database& db) : db_(db) { db_.Run("BEGIN IMMEDIATE"); }
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;
  ~Changes();
  Result<void> Commit();

 private:
  Database& db_;
  bool done_ = false;
};

}  // namespace shlo::archive
