package im.zonda.app.users;

import im.zonda.runtime.FailureText;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Reads a new password from a file, a terminal or standard input. Never from an argument, because
/// every user of the machine can read arguments.
public final class PasswordInput {
  private static final int MAX_FILE_BYTES = 8_192;

  private final @Nullable Console console;
  private final InputStream input;

  /// Reads from this terminal or input.
  ///
  /// @param console the terminal, or null if there is none
  public PasswordInput(@Nullable Console console, InputStream input) {
    this.console = console;
    this.input = input;
  }

  /// The terminal of this process, or null if its input or output is not a terminal.
  @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again without a terminal
  public static @Nullable Console terminal() {
    Console console = System.console();
    return console != null && console.isTerminal() ? console : null;
  }

  /// Reads a new password.
  ///
  /// @param file the file with the password in its first line, or null
  /// @throws IllegalArgumentException if there is no password
  public String read(@Nullable Path file, String who) throws IOException {
    if (file != null) {
      try {
        if (Files.size(file) > MAX_FILE_BYTES) {
          throw new IllegalArgumentException(file + " is too large for a password");
        }
        return firstLine(Files.newInputStream(file), file.toString());
      } catch (IOException e) {
        throw new IOException(FailureText.of(e, file), e);
      }
    }
    if (console == null) {
      return firstLine(input, "standard input");
    }
    return ask(console, who);
  }

  private static String ask(Console terminal, String who) {
    char[] first = terminal.readPassword("Password for %s: ", who);
    char[] second = first == null ? null : terminal.readPassword("Repeat the password: ");
    if (first == null || second == null) {
      throw new IllegalArgumentException("no password given");
    }
    String password = new String(first);
    if (!password.equals(new String(second))) {
      throw new IllegalArgumentException("the passwords do not match");
    }
    return password;
  }

  private static String firstLine(InputStream stream, String name) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      if (line == null || line.isEmpty()) {
        throw new IllegalArgumentException("there is no password in " + name);
      }
      return line;
    }
  }
}
