package im.zonda.app.settings.check;

import im.zonda.config.accounts.ProgramAccounts;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks of `[accounts.program.NAME]`.
///
/// @param path the section
/// @param search the folders where programs without a path are, as in `PATH`; null for none
/// @param report takes the key and what is wrong with it
record ProgramAccountChecks(
    String path, @Nullable String search, BiConsumer<String, String> report) {
  /// Reports a program that cannot be started.
  void run(ProgramAccounts settings) {
    String key = path + ".command";
    if (settings.command().isEmpty() || settings.command().getFirst().isBlank()) {
      report.accept(key, key + " must be set");
    } else if (settings.command().stream().anyMatch(each -> each.indexOf('\0') >= 0)) {
      report.accept(key, key + " has a character with the code 0");
    } else if (!isFound(settings.command().getFirst())) {
      report.accept(
          key, key + ": " + settings.command().getFirst() + " is not a file that can be executed");
    }
    String environment = path + ".environment";
    for (int i = 0; i < settings.environment().size(); i++) {
      // Not named by its text, which may be a secret.
      String variable = settings.environment().get(i);
      if (variable.indexOf('=') < 1 || variable.indexOf('\0') >= 0) {
        report.accept(
            environment, environment + ": entry " + (i + 1) + " is not of the form NAME=value");
      }
    }
  }

  private boolean isFound(String program) {
    if (program.contains("/")) {
      return isExecutable(Stream.of(program));
    }
    return search != null
        && isExecutable(
            Stream.of(search.split(File.pathSeparator, -1)).map(each -> each + '/' + program));
  }

  private static boolean isExecutable(Stream<String> files) {
    return files.anyMatch(each -> {
      try {
        Path file = Path.of(each);
        return Files.isRegularFile(file) && Files.isExecutable(file);
      } catch (InvalidPathException e) {
        return false;
      }
    });
  }
}
