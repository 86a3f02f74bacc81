package im.zonda.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What users do every day makes no exception in the server: making one costs more than routing a
/// message.
@Timeout(60)
class NoExceptionsTest {
  private static final String BIND =
      "<bind xmlns='urn:xmpp:bind:0'><enable xmlns='urn:xmpp:sm:3' resume='true'/></bind>";
  private static final Login ROMEO =
      Login.of("romeo@example.org", TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);

  /// Netty's exceptions about channels that are closed.
  private static final String AT_THE_END = "io.netty.channel.";

  @TempDir private Path folder;

  @Test
  void ordinaryLifeThrowsNothing() throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startOnSockets();
        Recording recording = new Recording()) {
      server.accounts(List.of("romeo@example.org", "juliet@example.org"));
      live(server); // loads classes
      recording.enable("jdk.JavaExceptionThrow").withStackTrace().with("throttle", "off");
      recording.enable("jdk.JavaErrorThrow").withStackTrace().with("throttle", "off");
      recording.start();
      live(server);
      recording.stop();
      List<RecordedEvent> thrown = thrown(recording);
      // The ends of the connections: the recording works.
      assertThat(thrown).anyMatch(event -> nameOf(event).startsWith(AT_THE_END));
      assertThat(thrown.stream().filter(NoExceptionsTest::isOfServer).map(NoExceptionsTest::text))
          .isEmpty();
    }
  }

  private List<RecordedEvent> thrown(Recording recording) throws IOException {
    Path file = folder.resolve("thrown.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().endsWith("Throw"))
        .toList();
  }

  private static String nameOf(RecordedEvent event) {
    return event.getClass("thrownClass").getName();
  }

  /// Not what the test's clients make, nor the search for leaked buffers, which is for tests only,
  /// nor what Netty makes within itself when a connection ends.
  private static boolean isOfServer(RecordedEvent event) {
    String name = nameOf(event);
    boolean ofTest =
        event.getThread().getJavaName().equals(Thread.currentThread().getName())
            || event.getStackTrace().getFrames().stream()
                .anyMatch(
                    frame -> frame.getMethod().getType().getName().startsWith("im.zonda.testkit."));
    return !ofTest
        && !name.startsWith("io.netty.util.ResourceLeakDetector")
        && !name.startsWith(AT_THE_END);
  }

  private static String text(RecordedEvent event) {
    return event.getStackTrace().getFrames().stream()
        .limit(25)
        .map(frame -> frame.getMethod().getType().getName() + "." + frame.getMethod().getName())
        .collect(
            Collectors.joining(
                "\n  ", nameOf(event) + " on " + event.getThread().getJavaName() + "\n  ", "\n"));
  }

  /// Logins of each kind, presence, messages, a roster change, the archive, a room, a resumption.
  private static void live(TestServer server) {
    try (ScriptedClient juliet = server.connect("juliet@example.org/balcony");
        ScriptedClient starttls =
            server
                .connected(Login.Security.STARTTLS, "example.org")
                .negotiate(
                    Login.of("romeo@example.org", TestServer.PASSWORD)
                        .withSecurity(Login.Security.STARTTLS)
                        .withMechanism("PLAIN"));
        ScriptedClient romeo =
            server.connected(Login.Security.DIRECT_TLS, "example.org").open("example.org")) {
      romeo.authenticate2(ROMEO, BIND);
      romeo.send("<presence/>");
      juliet.send("<presence/>");
      juliet.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      for (int i = 0; i < 20; i++) {
        juliet.send(
            "<message type='chat' id='m"
                + i
                + "' to='"
                + romeo.jid()
                + "'><body>hello</body></message>");
        romeo.send("<message type='chat' to='juliet@example.org'><body>hi</body></message>");
      }
      juliet.fence("there", "romeo@example.org");
      romeo.fence("back", "juliet@example.org");
      juliet.send(
          "<iq type='set' id='a'><query xmlns='urn:xmpp:mam:2'>"
              + "<set xmlns='http://jabber.org/protocol/rsm'><max>10</max></set></query></iq>");
      juliet.receiveFirst(e -> "a".equals(e.attribute("id")));
      juliet.send(
          "<iq type='get' id='d' to='example.org'>"
              + "<query xmlns='http://jabber.org/protocol/disco#info'/></iq>");
      juliet.receiveFirst(e -> "d".equals(e.attribute("id")));
      juliet.send("<iq type='get' id='v'><vCard xmlns='vcard-temp'/></iq>");
      juliet.receiveFirst(e -> "v".equals(e.attribute("id")));
      juliet.send(
          "<presence to='coven@rooms.example.org/hag'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>");
      juliet.receiveFirst(e -> e.localName().equals("message"));
      juliet.send(
          "<message type='groupchat' to='coven@rooms.example.org'><body>hi</body></message>");
      juliet.send("<presence type='unavailable' to='coven@rooms.example.org/hag'/>");
      juliet.receiveFirst(e ->
          "unavailable".equals(e.attribute("type"))
              && String.valueOf(e.attribute("from")).startsWith("coven"));
      starttls.disconnect();
      juliet.disconnect();
      romeo.drop();
    }
  }
}
