package im.zonda.provider.sql;

import im.zonda.account.provider.ProviderException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/// Why a database gives no answer, in words for administrators. What a database says of a value may
/// quote it, and values are hashes of passwords: then its text is left out.
final class TableFailures {
  private static final int MOST_CHARS = 300;

  private TableFailures() {}

  /// The failure of a question, without its cause, whose text would be logged.
  ///
  /// @throws InterruptedException if the thread has been interrupted, which has broken off the
  ///   question
  static ProviderException of(SQLException failure) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("while a database was asked");
    }
    return new ProviderException(text(failure));
  }

  /// What has failed, in words.
  static String text(SQLException failure) {
    SQLException known = failure;
    // The pool says only that it had no connection in time; the next one says why.
    if (failure instanceof SQLTransientConnectionException) {
      if (failure.getCause() instanceof SQLException why) {
        known = why;
      } else if (failure.getNextException() != null) {
        known = failure.getNextException();
      } else {
        return "the database gives no connection in time";
      }
    }
    String state = known.getSQLState();
    if (state == null || tells(state)) {
      String text = String.valueOf(known.getMessage()).lines().findFirst().orElse("");
      return "the database says: " + text.substring(0, Math.min(MOST_CHARS, text.length()));
    }
    return "the database has failed (SQLSTATE " + state + ")";
  }

  /// Whether the failure is of a connection, a right or the query and not of a value.
  private static boolean tells(String state) {
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "08", "28", "3D", "42", "53", "57", "70", "25" -> true;
      default -> false;
    };
  }
}
