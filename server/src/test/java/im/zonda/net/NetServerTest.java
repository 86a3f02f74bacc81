package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Limits;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class NetServerTest {
  static final String STARTTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";

  @ParameterizedTest
  @EnumSource
  void loginAndStanzasInTheClear(NetServer.Io io, @TempDir Path folder) throws IOException {
    try (RunningServer server = new RunningServer(folder, io, Limits.defaults(), true);
        SocketClient a = new SocketClient(server.plain);
        SocketClient b = new SocketClient(server.plain)) {
      a.login("a");
      b.login("b");

      a.send("<message to='romeo@example.org/b'><body>hi</body></message>");

      assertThat(b.until("</message>"))
          .contains("from='romeo@example.org/a'")
          .contains("<body>hi</body>");
    }
  }

  @Test
  void startTlsThenLogin(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.plain)) {
      a.send(SocketClient.HEADER).until("</stream:features>");
      a.send(STARTTLS).until("<proceed");
      a.until(">");
      a.startTls("TLSv1.3");
      a.login("a");

      a.send("<message to='romeo@example.org/a'><body>hi</body></message>");

      assertThat(a.until("</message>")).contains("<body>hi</body>");
    }
  }

  @Test
  void directTls(@TempDir Path folder) throws IOException {
    try (RunningServer server = RunningServer.start(folder);
        SocketClient a = new SocketClient(server.tls)) {
      assertThat(a.startTls("TLSv1.2", "xmpp-client").getApplicationProtocol())
          .isEqualTo("xmpp-client");
      a.login("a");
    }
  }
}
