#include "handlers.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/mapped_bytes.h"
#include "base/temporaries.h"
#include "shlo/file_io.h"

namespace shlo::tool {
namespace {

// The end that the handler makes, set before it is installed.
int exit_code_on_loss = 0;
char document_on_loss[1024];
size_t document_size = 0;

// A handler may not use memory from the heap.
void Put(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n <= 0) return;
    text.remove_prefix(size_t(n));
  }
}

// As NameText, without memory: what is not a plain character of ASCII could act in a terminal or a log.
void PutName(int fd, std::string_view name) {
  for (const char c : name) {
    const bool plain = c >= 0x20 && c < 0x7F && c != ':' && c != '#';
    Put(fd, plain ? std::string_view(&c, 1) : std::string_view("?"));
  }
}

extern "C" void ExitIfFileIsShorter(int signal, siginfo_t* info, void*) {
  const std::string* const path = MappedAt(info->si_addr);
  if (!path) {  // the handler was installed with SA_RESETHAND
    ::raise(signal);
    return;
  }
  PutName(STDERR_FILENO, *path);
  for (const std::string_view text :
       {std::string_view(": error: "), kShorterFile, std::string_view(" [io]\n")})
    Put(STDERR_FILENO, text);
  Put(STDOUT_FILENO, {document_on_loss, document_size});
  RemoveTemporaryFiles();
  ::_exit(exit_code_on_loss);
}

extern "C" void RemoveTemporaries(int signal) {
  RemoveTemporaryFiles();
  // The handler was installed with SA_RESETHAND.
  ::raise(signal);
}

}  // namespace

void RemoveTemporariesOnSignals() {
  struct sigaction action = {};
  action.sa_handler = RemoveTemporaries;
  action.sa_flags = int(SA_RESETHAND);
  ::sigfillset(&action.sa_mask);
  for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU}) {
    struct sigaction before;
    // nohup and shells have a command ignore signals.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      ::sigaction(signal, &action, nullptr);
  }
}

void ExitOnShrunkenFiles(int exit_code, std::string_view document) {
  exit_code_on_loss = exit_code;
  document_size = std::min(document.size(), sizeof document_on_loss);
  std::memcpy(document_on_loss, document.data(), document_size);
  struct sigaction action = {};
  action.sa_sigaction = ExitIfFileIsShorter;
  action.sa_flags = int(SA_SIGINFO | SA_RESETHAND);
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace shlo::tool
