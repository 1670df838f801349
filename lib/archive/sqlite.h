// SQLite with errors as values. After the first failure a database does nothing more, so that callers may
// check once per run of statements.
#pragma once

#include <cstdint>
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

class Database {
 public:
  // Opens a file, or a database in memory for "". Fails with kIo. Without `create` the file must exist.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, bool create, bool read_only);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Runs statements without parameters.
  void Run(const std::string& sql);
  // Copies another database into this one, which is empty.
  void CopyFrom(Database& other);
  bool ok() const { return code_ == 0; }
  // Returns what failed first, or success.
  Result<void> status() const;
  // Returns whether the file is not a database, or a damaged one.
  bool damaged() const;
  // Notes a failure.
  void Fail(int code);

 private:
  friend class Statement;
  explicit Database(std::string path) : path_(std::move(path)) {}

  std::string path_;
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
