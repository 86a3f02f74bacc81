package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the server cannot read in its database costs only itself.
@Timeout(60)
class UnreadableMessagesTest {
  private static final int QUOTA = 5;

  @TempDir Path folder;

  private TestServer start() throws IOException {
    TestServer server =
        ServerPlan.of(StandardModules::create)
            .withData(folder)
            .with("limits.offlineMessages", QUOTA)
            .startInMemory();
    server.accounts(List.of("juliet@example.org", "romeo@example.org"));
    return server;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("zonda.db"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// Sends messages to Juliet; returns how many were accepted.
  private static int send(ScriptedClient romeo, int count) {
    for (int i = 0; i < count; i++) {
      romeo.send(
          "<message to='juliet@example.org' type='chat' id='m" + i + "'><body>hi</body></message>");
    }
    romeo.fence("sent", "juliet@example.org");
    return count - romeo.unread();
  }

  @Test
  void theSenderLearnsOfAMessageThatTheDatabaseRejects() throws IOException, SQLException {
    try (TestServer server = start()) {
      execute(
          "create trigger small before insert on message when length(new.stanza) > 10000"
              + " begin select raise(abort, 'too large'); end");
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      for (int i = 0; i < QUOTA; i++) {
        romeo.send(
            "<message to='juliet@example.org' type='chat' id='large'><body>"
                + "x".repeat(10_000)
                + "</body></message>");
        XmlElement error = romeo.receiveFirst(e -> "large".equals(e.attribute("id")));
        assertThat(error.attribute("type")).isEqualTo("error");
        assertThat(error.condition()).isEqualTo("not-acceptable");
      }
      assertThat(send(romeo, QUOTA)).isEqualTo(QUOTA);
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>");
      for (int i = 0; i < QUOTA; i++) {
        String id = "m" + i;
        juliet.receiveFirst(e -> id.equals(e.attribute("id")));
      }
    }
  }

  @Test
  void messagesThatCannotBeReadLeaveTheOfflineQuota() throws IOException, SQLException {
    try (TestServer server = start()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      assertThat(send(romeo, QUOTA + 1)).isEqualTo(QUOTA);
      XmlElement full = romeo.receive();
      assertThat(full.condition()).isEqualTo("resource-constraint");
      execute("update message set checksum = checksum + 1");

      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>");
      juliet.fence("read", "juliet@example.org");
      juliet.disconnect();
      assertThat(send(romeo, QUOTA)).isEqualTo(QUOTA);
    }
  }
}
