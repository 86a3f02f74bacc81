package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.muc.MucModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import im.zonda.store.RoomStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoomsOfHostTest {
  private static final Jid ROOM = Jid.of("family@rooms.example.org");
  private static final String ROMEO = "romeo@example.org";
  private static final String JULIET = "juliet@example.org";

  private final TestContext context = new TestContext().install(new MucModule());
  private final Home<?> home = Home.of(context.host().services().getFirst());

  /// The home of [#ROOM].
  private record Home<T>(DomainService<T> service, T place) {
    static <T> Home<T> of(DomainService<T> service) {
      return new Home<>(service, service.load(ROOM));
    }

    void accept(Stanza stanza) {
      service.accept(place, Envelope.of(stanza));
    }
  }

  /// Sends a request; the first stanza with its id is the answer.
  private Iq ask(String from, String payload) {
    context.takeSent();
    home.accept(
        TestXml.iq(
            "<iq type='set' id='q' from='%s' to='%s'>%s</iq>".formatted(from, ROOM, payload)));
    return (Iq)
        context.sent().stream().filter(each -> "q".equals(each.id())).findFirst().orElseThrow();
  }

  private Iq keep(String... people) {
    return ask(
        "example.org",
        "<keep xmlns='urn:zonda:rooms:0' name='The Family'>" + String.join("", people) + "</keep>");
  }

  private static String member(String jid) {
    return "<member jid='" + jid + "'/>";
  }

  private static String former(String jid) {
    return "<former jid='" + jid + "'/>";
  }

  private RoomStore.@Nullable Stored stored() {
    return context.stores().rooms().find(ROOM);
  }

  private Map<String, String> affiliations() {
    Map<String, String> all = new TreeMap<>();
    Objects.requireNonNull(stored())
        .affiliations()
        .forEach(each -> all.put(each.user().toString(), each.affiliation()));
    return all;
  }

  private void admin(String jid, String affiliation) {
    RoomStore.Room room = Objects.requireNonNull(stored()).room();
    context
        .stores()
        .rooms()
        .save(room, List.of(new RoomStore.Affiliation(Jid.of(jid), affiliation, null, null)));
  }

  @Test
  void theHostMakesARoomForMembersOnly() {
    assertThat(keep(member(ROMEO), member(JULIET)).type()).isEqualTo(Iq.Type.RESULT);
    RoomStore.Room room = Objects.requireNonNull(stored()).room();
    assertThat(room.name()).isEqualTo("The Family");
    assertThat(room.persistent()).isTrue();
    assertThat(room.listed()).isFalse();
    assertThat(affiliations()).isEqualTo(Map.of(ROMEO, "member", JULIET, "member"));
    home.accept(
        TestXml.presence(
            "<presence from='tybalt@example.org/x' to='family@rooms.example.org/t'>"
                + "<x xmlns='http://jabber.org/protocol/muc'/></presence>"));
    assertThat(context.takeSent().getLast().isError()).isTrue();
  }

  @Test
  void aRoomWithoutMembersStaysToo() {
    keep();
    assertThat(Objects.requireNonNull(stored()).room().persistent()).isTrue();
  }

  @Test
  void membersAreNotSentInvitations() {
    keep(member(ROMEO));
    keep(member(JULIET));
    assertThat(context.sent()).hasSize(1);
  }

  @Test
  void aRequestIsRepeatedWithoutHarm() {
    keep(member(ROMEO), former(JULIET));
    int writes = context.stores().rooms().writes();
    assertThat(keep(member(ROMEO), former(JULIET)).type()).isEqualTo(Iq.Type.RESULT);
    assertThat(context.stores().rooms().writes()).isEqualTo(writes);
  }

  /// A name that someone else has given it stays.
  @Test
  void aRoomGetsAnotherNameIfItHasTheFormerOne() {
    keep(member(ROMEO));
    rename("Kin", "Nobody's");
    assertThat(Objects.requireNonNull(stored()).room().name()).isEqualTo("The Family");
    rename("Kin", "The Family");
    assertThat(Objects.requireNonNull(stored()).room().name()).isEqualTo("Kin");
    assertThat(affiliations()).isEqualTo(Map.of(ROMEO, "member"));
    assertThat(Objects.requireNonNull(stored()).room().listed()).isFalse();
  }

  private void rename(String name, String former) {
    String request =
        "<keep xmlns='urn:zonda:rooms:0' name=\""
            + name
            + "\"><was name=\""
            + former
            + "\"/></keep>";
    assertThat(ask("example.org", request).type()).isEqualTo(Iq.Type.RESULT);
  }

  @Test
  void affiliationsThatOthersHaveGivenStay() {
    keep(member(ROMEO));
    admin("tybalt@example.org", "outcast");
    admin("nurse@example.org", "owner");
    Home<?> again = Home.of(context.host().services().getFirst());
    again.accept(
        TestXml.iq(
            ("<iq type='set' id='q' from='example.org' to='%s'>"
                    + "<keep xmlns='urn:zonda:rooms:0'>%s</keep></iq>")
                .formatted(
                    ROOM,
                    member("tybalt@example.org") + member("nurse@example.org") + former(ROMEO))));
    assertThat(affiliations())
        .isEqualTo(Map.of("tybalt@example.org", "outcast", "nurse@example.org", "owner"));
  }

  @Test
  void theLastOwnerMayLeaveARoomOfTheHost() {
    keep(member(JULIET));
    admin(ROMEO, "owner");
    Home<?> again = Home.of(context.host().services().getFirst());
    again.accept(
        TestXml.iq(
            ("<iq type='set' id='q' from='example.org' to='%s'>"
                    + "<keep xmlns='urn:zonda:rooms:0'>%s</keep></iq>")
                .formatted(ROOM, former(ROMEO))));
    assertThat(affiliations()).isEqualTo(Map.of(JULIET, "member"));
  }

  @Test
  void theRoomOfAUserIsNotTouched() {
    home.accept(
        TestXml.presence(
            "<presence from='romeo@example.org/x' to='family@rooms.example.org/r'>"
                + "<x xmlns='http://jabber.org/protocol/muc'/></presence>"));
    ask(
        "romeo@example.org/x",
        "<query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query>");
    assertThat(keep(member(JULIET)).toElement().toString()).contains("conflict");
    ask("example.org", "<destroy xmlns='urn:zonda:rooms:0'/>");
    assertThat(affiliations()).isEqualTo(Map.of(ROMEO, "owner"));
  }

  @Test
  void onlyTheHostMayAsk() {
    String request = "<keep xmlns='urn:zonda:rooms:0' name='x'>" + member(ROMEO) + "</keep>";
    assertThat(ask("romeo@example.org/x", request).isError()).isTrue();
    assertThat(stored()).isNull();
    keep();
    assertThat(ask("romeo@example.org/x", request).isError()).isTrue();
    assertThat(ask("example.net", "<destroy xmlns='urn:zonda:rooms:0'/>").isError()).isTrue();
    assertThat(affiliations()).isEmpty();
  }

  @Test
  void theRoomIsDestroyedWithTheRequest() {
    keep(member(ROMEO));
    String request = "<destroy xmlns='urn:zonda:rooms:0'/>";
    assertThat(ask("example.org", request).type()).isEqualTo(Iq.Type.RESULT);
    assertThat(stored()).isNull();
    assertThat(ask("example.org", request).type()).isEqualTo(Iq.Type.RESULT);
  }
}
