// Runs a command and prints what it took: exit code, wall time in ns, user and system time in us, peak memory
// in KiB, minor and major page faults. A separate static program, because the kernel counts the memory of the
// process that starts a command as the command's, and that of a Python interpreter is larger than some that
// are measured.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char** environ;

int main(int argc, char** argv) {
  int first = 1;
  if (argc > 3 && std::strcmp(argv[1], "--data") == 0) {
    const rlim_t bytes = std::strtoull(argv[2], nullptr, 10);
    const rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) {
      std::perror("run_command: cannot limit memory");
      return 1;
    }
    first = 3;
  }
  if (argc <= first || argv[first][0] == '-') {
    std::fputs("usage: run_command [--data BYTES] COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  const auto start = std::chrono::steady_clock::now();
  if (const int error = posix_spawnp(&child, argv[first], &actions, nullptr, argv + first, environ)) {
    std::fprintf(stderr, "run_command: cannot run '%s': %s\n", argv[first], std::strerror(error));
    return 1;
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - start;
  const auto us = [](const timeval& time) {
    return static_cast<long long>(time.tv_sec) * 1000000 + static_cast<long long>(time.tv_usec);
  };
  std::printf("%d %lld %lld %lld %ld %ld %ld\n",
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
              static_cast<long long>(wall.count()), us(usage.ru_utime), us(usage.ru_stime), usage.ru_maxrss,
              usage.ru_minflt, usage.ru_majflt);
  return 0;
}
