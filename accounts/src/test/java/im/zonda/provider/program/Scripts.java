package im.zonda.provider.program;

import im.zonda.config.accounts.ProgramAccounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Programs of tests: scripts in a folder, which leave files there.
record Scripts(Path folder, AtomicLong nanos) {
  /// Reads a question into `$question`, or ends.
  private static final String READ =
      """
      yes() { printf '\\0\\2\\0\\1'; }
      no() { printf '\\0\\2\\0\\0'; }
      question() {
        set -- $(dd bs=1 count=2 2>/dev/null | od -An -tu1)
        [ $# -eq 2 ] || exit 0
        question=$(dd bs=1 count=$(($1 * 256 + $2)) 2>/dev/null)
      }
      """;

  Scripts(Path folder) {
    this(folder, new AtomicLong());
  }

  /// A provider of a shell script in that folder, which has the functions `question`, `yes` and
  /// `no`.
  ProgramProvider start(int instances, String script) throws IOException {
    Path file = Files.writeString(folder.resolve("script.sh"), READ + script);
    return start(instances, List.of("/bin/sh", file.toString()));
  }

  /// A provider of a command.
  ProgramProvider start(int instances, List<String> command) {
    return ProgramProvider.start(
        "old",
        new ProgramAccounts(command, instances, List.of("DIR=" + folder, "WORD=a=b c")),
        nanos::get);
  }

  /// A file that the scripts write, in `$DIR`.
  Path file(String name) {
    return folder.resolve(name);
  }

  /// Its lines; none if there is no such file.
  List<String> lines(String name) throws IOException {
    Path file = file(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
