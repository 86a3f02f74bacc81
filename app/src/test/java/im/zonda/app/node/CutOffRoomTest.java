package im.zonda.app.node;

import static im.zonda.app.node.RoomSteps.ROOM;
import static im.zonda.app.node.RoomSteps.configure;
import static im.zonda.app.node.RoomSteps.enter;
import static im.zonda.app.node.RoomSteps.heard;
import static im.zonda.app.node.RoomSteps.say;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A room whose node, or whose occupant's node, is cut off for a while before it is evicted.
@Timeout(60)
class CutOffRoomTest {

  private TestCluster cluster;
  private Member victim;

  @BeforeEach
  void start() throws IOException {
    cluster =
        TestCluster.start(ServerPlan.of(StandardModules::create).withStores(SharedLog::instead), 3);
    victim = cluster.homeOf(ROOM);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /// An account whose home is, or is not, on the node of the room.
  private String account(String name, boolean atTheRoom) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> name + i + "@example.org")
        .filter(each -> cluster.homeOf(each).equals(victim) == atTheRoom)
        .findFirst()
        .orElseThrow();
  }

  /// An account whose home is on that node.
  private String accountAt(String name, Member member) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> name + i + "@example.org")
        .filter(each -> cluster.homeOf(each).equals(member))
        .findFirst()
        .orElseThrow();
  }

  private Member other() {
    return cluster.members().stream()
        .filter(each -> !each.equals(victim))
        .findFirst()
        .orElseThrow();
  }

  private void awaitArchived(String text) {
    Eventually.await("it is archived", () -> archive().contains(text));
  }

  private List<String> archive() {
    return SharedLog.bodies(cluster.server(other()), ROOM);
  }

  /// What the client gets up to that message.
  private static List<String> heardUpTo(ScriptedClient client, String last) {
    List<String> all = new ArrayList<>();
    while (!all.contains(last)) {
      all.add(heard(client));
    }
    return all;
  }

  @Test
  void whatARoomHasStoredWhileItWasCutOffReachesItsOccupantsOnceAndInOrder() {
    String inside = account("inside", true);
    String outside = account("outside", false);
    String late = account("late", false);
    try (ScriptedClient speaker = cluster.server(victim).connect(inside + "/a");
        ScriptedClient listener = cluster.server(other()).connect(outside + "/b");
        ScriptedClient guest = cluster.server(other()).connect(late + "/c")) {
      enter(speaker, "speaker", "");
      configure(speaker);
      enter(listener, "listener", "");
      say(listener, "1");
      say(listener, "2");
      assertThat(heardUpTo(listener, "2")).containsExactly("1", "2");
      enter(guest, "guest", "<history maxstanzas='0'/>");
      cluster.awaitCopies(4);
      cluster.mute(victim);
      say(speaker, "3");
      say(speaker, "4");
      awaitArchived("4");
      cluster.kill(victim);
      say(listener, "5");
      assertThat(heardUpTo(listener, "5")).containsExactly("3", "4", "5");
      assertThat(heardUpTo(guest, "5")).containsExactly("3", "4", "5");
    }
  }

  /// The sender's home lives and sends the message again to the next home of the room.
  @Test
  void aMessageThatIsSentAgainDoesNotComeAfterNewerOnes() {
    String inside = account("inside", true);
    String outside = account("outside", false);
    try (ScriptedClient speaker = cluster.server(victim).connect(inside + "/a");
        ScriptedClient listener = cluster.server(other()).connect(outside + "/b")) {
      enter(speaker, "speaker", "");
      configure(speaker);
      enter(listener, "listener", "");
      cluster.awaitCopies(3);
      cluster.mute(victim);
      say(listener, "1");
      awaitArchived("1");
      say(speaker, "2");
      awaitArchived("2");
      cluster.kill(victim);
      say(listener, "3");
      assertThat(heardUpTo(listener, "3")).containsExactly("1", "2", "3");
      assertThat(archive().stream().filter(each -> !each.isEmpty())).containsExactly("1", "2", "3");
    }
  }

  /// The stream of an occupant lives on, and its session is recovered.
  @Test
  void whatTheNodeOfAnOccupantTookWithItComesFromTheRoomOnceAndInOrder() {
    Member dying = other();
    Member third =
        cluster.members().stream()
            .filter(each -> !each.equals(victim) && !each.equals(dying))
            .findFirst()
            .orElseThrow();
    String owner = account("owner", true);
    String occupant = accountAt("occupant", dying);
    String witness = accountAt("witness", dying);
    try (ScriptedClient speaker = cluster.server(victim).connect(owner + "/a");
        ScriptedClient listener = cluster.server(third).connect(occupant + "/b");
        ScriptedClient near = cluster.server(victim).connect(witness + "/c")) {
      listener.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      listener.receiveFirst(each -> each.localName().equals("enabled"));
      enter(speaker, "speaker", "");
      configure(speaker);
      enter(listener, "listener", "");
      enter(near, "near", "");
      say(speaker, "1");
      assertThat(heard(listener)).isEqualTo("1");
      listener.fence("state");
      cluster.mute(dying, third);
      say(speaker, "2");
      say(speaker, "3");
      assertThat(heardUpTo(near, "3")).containsExactly("1", "2", "3");
      listener.skipUnread();
      cluster.kill(dying, third);
      say(speaker, "4");
      List<XmlElement> received = new ArrayList<>();
      while (received.isEmpty() || !"4".equals(received.getLast().childText("body"))) {
        received.add(listener.receive());
      }
      // The node took messages and nothing of what came when it entered.
      assertThat(received)
          .filteredOn(each -> !each.namespace().startsWith("urn:xmpp:sm:"))
          .extracting(each -> each.localName() + each.childText("body"))
          .containsExactly("message2", "message3", "message4");
    }
  }

  /// The room has let the occupant in, and its answer was lost with the node of the occupant's
  /// home: the next home asks for it, and the client sends its request to enter again.
  @Test
  void anOccupantThatWasEnteringGetsTheHistoryOnce() {
    Member dying = other();
    Member third =
        cluster.members().stream()
            .filter(each -> !each.equals(victim) && !each.equals(dying))
            .findFirst()
            .orElseThrow();
    String owner = account("owner", true);
    String occupant = accountAt("occupant", dying);
    try (ScriptedClient speaker = cluster.server(victim).connect(owner + "/a");
        ScriptedClient listener = cluster.server(third).connect(occupant + "/b")) {
      listener.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      listener.receiveFirst(each -> each.localName().equals("enabled"));
      enter(speaker, "speaker", "");
      configure(speaker);
      say(speaker, "1");
      say(speaker, "2");
      assertThat(heardUpTo(speaker, "2")).containsExactly("1", "2");
      listener.fence("state");
      cluster.mute(victim, dying);
      listener.send(
          "<presence to='%s/listener'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
              .formatted(ROOM));
      RoomSteps.awaitPresence(speaker, "listener");
      listener.fence("asked");
      say(speaker, "3");
      assertThat(heard(speaker)).isEqualTo("3");
      cluster.kill(dying, third);
      say(speaker, "4");
      List<XmlElement> received = new ArrayList<>();
      while (received.isEmpty() || !"4".equals(received.getLast().childText("body"))) {
        received.add(listener.receive());
      }
      listener.fence("all", ROOM);
      while (listener.unread() > 0) {
        received.add(listener.receive());
      }
      assertThat(received)
          .filteredOn(each -> each.localName().equals("message"))
          .extracting(each -> each.child("subject") == null ? each.childText("body") : "subject")
          .containsExactly("1", "2", "subject", "3", "4");
    }
  }

  /// The session of an occupant is lost with its node, and the room's node does not know.
  @Test
  void aNewSessionHearsNothingBeforeItHasEntered() {
    String owner = account("owner", true);
    Member dying = other();
    String lost = accountAt("lost", dying);
    try (ScriptedClient speaker = cluster.server(victim).connect(owner + "/a");
        ScriptedClient before = cluster.server(dying).connect(lost + "/b")) {
      enter(speaker, "speaker", "");
      configure(speaker);
      enter(before, "lost", "");
      speaker.skipUnread();
      cluster.awaitCopies(3);
      cluster.kill(dying);
      try (ScriptedClient after = cluster.server(victim).connect(lost + "/b")) {
        say(speaker, "1");
        XmlElement gone =
            speaker.receiveFirst(stanza -> "unavailable".equals(stanza.attribute("type")));
        assertThat(gone.attribute("from")).isEqualTo(ROOM + "/lost");
        after.fence("nothing");
        enter(after, "lost", "<history maxstanzas='0'/>");
        say(speaker, "2");
        assertThat(heard(after)).isEqualTo("2");
      }
    }
  }
}
