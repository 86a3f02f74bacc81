package im.zonda.app.command.help;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Says what is wrong with a command line. For a word that is no command, names the commands that
/// are one or two mistakes in typing away; picocli itself names those with the same letters.
public final class Suggestions {
  private static final int MOST_MISTAKES = 2;
  private static final int MOST_NAMED = 3;

  private Suggestions() {}

  /// Prints the message of a failure and what helps.
  ///
  /// @return the exit code
  public static int print(ParameterException failure) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(command.getColorScheme().errorText(failure.getMessage()));
    List<String> near =
        failure instanceof UnmatchedArgumentException unmatched ? near(unmatched) : List.of();
    if (!near.isEmpty()) {
      String name = command.getCommandSpec().qualifiedName();
      err.println(
          near.stream()
              .map(each -> name + " " + each)
              .collect(Collectors.joining(" or ", "Did you mean: ", "?")));
    } else if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
      command.usage(err, command.getColorScheme());
    }
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static List<String> near(UnmatchedArgumentException failure) {
    String wrong = failure.getUnmatched().isEmpty() ? "-" : failure.getUnmatched().getFirst();
    if (wrong.startsWith("-")) {
      return List.of();
    }
    return failure.getCommandLine().getSubcommands().keySet().stream()
        .filter(each -> mistakes(wrong, each) <= MOST_MISTAKES)
        .sorted(Comparator.comparingInt(each -> mistakes(wrong, each)))
        .limit(MOST_NAMED)
        .toList();
  }

  /// How many letters must be added, removed, replaced or exchanged with the next one.
  static int mistakes(String from, String to) {
    int[][] least = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        least[i][j] =
            Math.min(
                Math.min(least[i - 1][j], least[i][j - 1]) + 1, least[i - 1][j - 1] + replaced);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[from.length()][to.length()];
  }
}
