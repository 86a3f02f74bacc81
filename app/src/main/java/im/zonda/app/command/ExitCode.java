package im.zonda.app.command;

import im.zonda.app.settings.toml.SettingsException;
import im.zonda.runtime.FailureText;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.LoggerFactory;

/// Exit codes of the process, and the texts for failures.
public final class ExitCode {
  /// The command line or the configuration is wrong.
  static final int WRONG = 2;

  /// The command failed.
  static final int FAILED = 1;

  private ExitCode() {}

  /// The exit code for a failure.
  public static int of(Exception failure) {
    return failure instanceof SettingsException || failure instanceof IllegalArgumentException
        ? WRONG
        : FAILED;
  }

  /// The text that the user sees. Logs the failure, with its stack trace if it is unexpected.
  public static String describe(Exception failure) {
    return switch (failure) {
      case SettingsException wrong -> {
        int count = wrong.problems().size();
        yield wrong.getMessage() + "\n" + (count == 1 ? "1 error" : count + " errors");
      }
      case IOException io -> expected(failure, FailureText.of(io));
      case UncheckedIOException io when io.getCause() != null ->
          expected(failure, FailureText.of(io.getCause()));
      case StoreException _, IllegalArgumentException _ ->
          expected(failure, String.valueOf(failure.getMessage()));
      default -> {
        LoggerFactory.getLogger(ExitCode.class).atError().setCause(failure).log("command_failed");
        yield "zonda: internal error: " + failure;
      }
    };
  }

  private static String expected(Exception failure, String text) {
    LoggerFactory.getLogger(ExitCode.class).atDebug().setCause(failure).log("command_failed");
    return "zonda: " + text;
  }
}
