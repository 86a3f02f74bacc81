package im.zonda.app;

import im.zonda.app.settings.SettingsException;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.slf4j.LoggerFactory;

/// The program. Here is no picocli, which the start of a server does without ([PlainStart]).
///
/// It ends with 0 when all was done, 1 when something failed, 2 when the command line or the
/// configuration is wrong.
public final class Main {
  /// The command line or the configuration is wrong.
  static final int WRONG = 2;

  /// Something failed.
  static final int FAILED = 1;

  private Main() {}

  /// Runs a command.
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    PlainStart plain = PlainStart.of(arguments);
    System.exit(plain == null ? Commands.of(out, err).execute(arguments) : start(plain, out, err));
  }

  private static int start(PlainStart plain, PrintWriter out, PrintWriter err) {
    try {
      return Start.run(plain.options(), plain.exitWhenReady(), out);
    } catch (Exception e) {
      err.println(words(e));
      return exitCode(e);
    }
  }

  static int exitCode(Exception failure) {
    return failure instanceof SettingsException || failure instanceof IllegalArgumentException
        ? WRONG
        : FAILED;
  }

  /// What a person is told of a failure. What is not foreseen is logged whole.
  static String words(Exception failure) {
    return switch (failure) {
      case SettingsException wrong -> {
        int count = wrong.problems().size();
        yield wrong.getMessage() + "\n" + (count == 1 ? "1 mistake" : count + " mistakes");
      }
      case IOException _, UncheckedIOException _, StoreException _, IllegalArgumentException _ -> {
        LoggerFactory.getLogger(Main.class).atDebug().setCause(failure).log("command_failed");
        yield "zonda: " + failure.getMessage();
      }
      default -> {
        LoggerFactory.getLogger(Main.class).atError().setCause(failure).log("command_failed");
        yield "zonda: an internal failure: " + failure;
      }
    };
  }
}
