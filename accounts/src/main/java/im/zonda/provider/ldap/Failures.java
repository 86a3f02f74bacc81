package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import im.zonda.account.provider.ProviderException;
import javax.net.ssl.SSLException;

/// Words for administrators for what went wrong. Texts of servers are untrusted: they are cut, and
/// lose their control characters.
final class Failures {
  private static final int MOST_CHARS = 200;

  private Failures() {}

  /// Turns a failure of the library into one of a provider.
  ///
  /// @param what what was done
  /// @throws InterruptedException if it failed because the caller's time is over
  static ProviderException of(String what, LDAPException failure) throws InterruptedException {
    interrupted();
    return new ProviderException(what + ": " + text(failure), failure);
  }

  /// @throws InterruptedException if the thread is interrupted
  static void interrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /// The result's name and the server's text.
  static String text(LDAPException failure) {
    ResultCode code = failure.getResultCode();
    String text = failure.getDiagnosticMessage();
    if (text == null || text.isBlank()) {
      text = code.isClientSideResultCode() ? failure.getMessage() : null;
    }
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return "TLS: " + clean(String.valueOf(cause.getMessage()));
      }
    }
    if (code.equals(ResultCode.REFERRAL)) {
      return "the server refers to another one, which is not followed";
    }
    return code.getName() + (text == null || text.isBlank() ? "" : " (" + clean(text) + ")");
  }

  /// A text of somebody else for one line.
  static String clean(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .limit(MOST_CHARS)
        .map(c -> isPlain(c) ? c : ' ')
        .forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }
}
