package planted.stanza;

import io.netty.util.AsciiString;
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;

/// Breaks many rules.
public final class Something {
  @SuppressWarnings("NonFinalStaticField") // planted
  static int count;

  private Something() {}

  static String now(Connection connection) {
    count++;
    System.out.println(InstantSource.system().instant());
    return Instant.now() + connection.toString() + AsciiString.EMPTY_STRING;
  }
}
