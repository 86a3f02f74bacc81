package im.zonda.app.archive;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The archive (XEP-0313) of a whole server with another configuration than usual.
final class ArchiveTest {
  private static final String FORM =
      "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>"
          + "<value>urn:xmpp:mam:2</value></field>%s</x>";

  /// The bodies of a page, and then how the server ends it.
  private static List<String> page(ScriptedClient client, String query) {
    client.send("<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2'>" + query + "</query></iq>");
    List<String> bodies = new ArrayList<>();
    XmlElement next = client.receive();
    while (next.localName().equals("message")) {
      XmlElement result = next.child("urn:xmpp:mam:2", "result");
      XmlElement forwarded = result == null ? null : result.child("forwarded");
      XmlElement message = forwarded == null ? null : forwarded.child("message");
      bodies.add(message == null ? "?" : message.childText("body"));
      next = client.receive();
    }
    XmlElement fin = next.child("urn:xmpp:mam:2", "fin");
    bodies.add(fin == null ? next.toString() : "complete=" + fin.attribute("complete"));
    return bodies;
  }

  private static void write(ScriptedClient from, String to, String... bodies) {
    for (String body : bodies) {
      from.send("<message type='chat' to='" + to + "'><body>" + body + "</body></message>");
    }
    from.fence("written", to);
  }

  @Test
  void whatIsTooOldOrTooMuchIsRemovedByAndBy() throws IOException {
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .with("archive.keepEntries", 3)
            .with("archive.keepDays", 10);
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>").receive();
      write(romeo, "juliet@example.org", "1", "2", "3", "4", "5");
      for (int i = 0; i < 5; i++) {
        juliet.receive();
      }
      juliet.fence("read");
      server.advance(Duration.ofHours(2));
      assertThat(page(juliet, "")).containsExactly("3", "4", "5", "complete=true");
      assertThat(page(romeo, "")).containsExactly("3", "4", "5", "complete=true");
    }
  }

  @Test
  void wordsAreFoundWhereTheSearchIsOn() throws IOException {
    String hail =
        FORM.replace(
            "%s", "<field var='{urn:xmpp:fulltext:0}fulltext'><value>HAIL macbeth</value></field>");
    try (TestServer server =
        ServerPlan.of(StandardModules::create).with("storage.fullText", true).startInMemory()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      write(romeo, "juliet@example.org", "All hail, Macbeth!", "Hail to thee");
      assertThat(page(romeo, hail)).containsExactly("All hail, Macbeth!", "complete=true");
      assertThat(page(juliet, hail)).containsExactly("All hail, Macbeth!", "complete=true");
    }
    try (TestServer server = ServerPlan.of(StandardModules::create).startInMemory()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      assertThat(page(romeo, hail).getFirst()).contains("feature-not-implemented");
    }
  }

  private static String after(String id) {
    return "<set xmlns='http://jabber.org/protocol/rsm'><after>" + id + "</after></set>";
  }

  /// The id of a message that Juliet writes to herself.
  private static String note(ScriptedClient juliet, String body) {
    juliet.send("<message type='chat' to='juliet@example.org'><body>" + body + "</body></message>");
    XmlElement note = juliet.receiveFirst(each -> body.equals(each.childText("body")));
    XmlElement id = Objects.requireNonNull(note.child("urn:xmpp:sid:0", "stanza-id"));
    return String.valueOf(id.attribute("id"));
  }

  @Test
  void idsAreTheSameAfterARestartAndUnknownWithoutTheSecret(@TempDir Path folder)
      throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create).withData(folder);
    String first;
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>").receive();
      first = note(juliet, "1");
      assertThat(first).matches("[a-z2-7]{26}");
      note(juliet, "2");
      juliet.fence("noted");
    }
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      assertThat(page(juliet, after(first))).containsExactly("2", "complete=true");
    }
    try (TestServer server = plan.withSecret("another one in tests").startInMemory()) {
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>").receive();
      assertThat(page(juliet, after(first)).getFirst()).contains("item-not-found");
      assertThat(page(juliet, "")).containsExactly("1", "2", "complete=true");
      String third = note(juliet, "3");
      note(juliet, "4");
      assertThat(page(juliet, after(third))).containsExactly("4", "complete=true");
    }
  }

  @Test
  void row63_resultsThatAStrangerMakesUpAreNotOfTheArchive() throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startInMemory()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      ScriptedClient juliet = server.connect("juliet@example.org/balcony");
      juliet.send("<presence/>").receive();
      romeo.send(
          "<message to='juliet@example.org/balcony'><result"
              + " xmlns='urn:xmpp:mam:2' id='1'><forwarded xmlns='urn:xmpp:forward:0'><message"
              + " xmlns='jabber:client' from='nurse@example.org'><body>Fly!</body></message>"
              + "</forwarded></result></message>");
      romeo.fence("sent");
      assertThat(juliet.receive().attribute("from")).isEqualTo("romeo@example.org/orchard");
      romeo.send(
          "<message to='juliet@example.org/balcony' from='juliet@example.org'>"
              + "<result xmlns='urn:xmpp:mam:2' id='1'/></message>");
      assertThat(romeo.awaitStreamError()).isEqualTo("invalid-from");
      assertThat(juliet.unread()).isZero();
    }
  }

  @Test
  void row79_aPageNeverTakesMoreThanItsShareOfWhatMayWait() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create).with("limits.outboundBytes", 262_144);
    try (TestServer server = plan.startInMemory()) {
      ScriptedClient romeo = server.connect("romeo@example.org/orchard");
      server.accounts(List.of("juliet@example.org"));
      for (int i = 0; i < 20; i++) {
        write(romeo, "juliet@example.org", "x".repeat(30_000));
      }
      List<String> page = page(romeo, "");
      assertThat(page).hasSize(3).endsWith("complete=null");
      assertThat(romeo.ended()).isFalse();
    }
  }
}
