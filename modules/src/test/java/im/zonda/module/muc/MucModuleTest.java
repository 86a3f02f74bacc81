package im.zonda.module.muc;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Rooms;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The domain of a host's rooms, and who may create them.
class MucModuleTest {
  private final TestContext context = new TestContext();

  private DomainService<?> service(Rooms rooms) {
    ServerConfig all =
        context
            .config()
            .withHosts(
                Map.of("example.org", new Host(null, null, rooms, null, null, null, null, null)));
    context.config(all.at("example.org")).install(new MucModule());
    return context.host().services().getFirst();
  }

  private static Rooms rooms(String prefix, Rooms.Creation creation, int perAccount) {
    Rooms d = Rooms.DEFAULTS;
    return new Rooms(
        prefix,
        creation,
        List.of("admin@example.org"),
        d.persistent(),
        d.listed(),
        d.membersOnly(),
        d.moderated(),
        d.nonAnonymous(),
        d.archive(),
        d.history(),
        d.occupants(),
        perAccount,
        d.affiliations(),
        d.messageRate(),
        d.presenceRate(),
        d.quietAbove(),
        d.restoreTime());
  }

  @Test
  void theServiceIsBesideItsHost() {
    DomainService<?> service = service(rooms("conference", Rooms.Creation.ACCOUNTS, 5));
    assertThat(service.domain()).isEqualTo(Jid.of("conference.example.org"));
    assertThat(service.title()).isEqualTo("Rooms");
  }

  @ParameterizedTest
  @CsvSource({
    "EVERYONE, crone@example.org, true",
    "EVERYONE, crone@example.net, true",
    "ACCOUNTS, crone@example.org, true",
    "ACCOUNTS, crone@example.net, false",
    "ADMINS, crone@example.org, false",
    "ADMINS, admin@example.org, true"
  })
  void usersMayCreateARoomAsConfigured(Rooms.Creation creation, String user, boolean may) {
    made(service(rooms("rooms", creation, 5)), user, "coven", may);
  }

  private <T> T made(DomainService<T> service, String user, String room, boolean may) {
    T place = service.load(Jid.of(room + "@rooms.example.org"));
    Presence enter =
        TestXml.presence(
            "<presence from='"
                + user
                + "/desktop' to='"
                + room
                + "@rooms.example.org/witch'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    context.takeSent();
    service.accept(place, Envelope.of(enter));
    assertThat(context.takeSent().getFirst().isError()).isEqualTo(!may);
    return place;
  }

  @Test
  void roomsPerAccountAreLimited() {
    DomainService<?> service = service(rooms("rooms", Rooms.Creation.ACCOUNTS, 2));
    assertThat(unlocked(service, "crone@example.org", "one")).isTrue();
    assertThat(unlocked(service, "crone@example.org", "two")).isTrue();
    made(service, "crone@example.org", "three", false);
    assertThat(unlocked(service, "hag@example.org", "four")).isTrue();
    assertThat(unlocked(service, "admin@example.org", "five")).isTrue();
  }

  private <T> boolean unlocked(DomainService<T> service, String user, String room) {
    T place = made(service, user, room, true);
    context.takeSent();
    service.accept(
        place,
        Envelope.of(
            TestXml.iq(
                "<iq type='set' id='1' from='"
                    + user
                    + "/desktop' to='"
                    + room
                    + "@rooms.example.org'><query xmlns='http://jabber.org/protocol/muc#owner'>"
                    + "<x xmlns='jabber:x:data' type='submit'/></query></iq>")));
    return !context.takeSent().getFirst().isError();
  }

  @Test
  void aRoomThatNobodyConfiguresOpensAfterSomeSeconds() {
    DomainService<?> service = service(rooms("rooms", Rooms.Creation.ACCOUNTS, 5));
    opensLater(service, false, true);
    opensLater(service, true, false);
  }

  private <T> void opensLater(DomainService<T> service, boolean asksForTheForm, boolean opens) {
    String room = asksForTheForm ? "heath" : "coven";
    T place = made(service, "crone@example.org", room, true);
    if (asksForTheForm) {
      Iq request =
          TestXml.iq(
              "<iq type='get' id='1' from='crone@example.org/desktop' to='"
                  + room
                  + "@rooms.example.org'><query xmlns='http://jabber.org/protocol/muc#owner'/></iq>");
      service.accept(place, Envelope.of(request));
    }
    Presence enter =
        TestXml.presence(
            "<presence from='hag@example.org/pda' to='"
                + room
                + "@rooms.example.org/hag'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    context.clock().advance(Duration.ofSeconds(9));
    assertThat(isTaken(service, place, enter)).isFalse();
    context.clock().advance(Duration.ofSeconds(2));
    assertThat(service.mayBlock(place, enter)).isEqualTo(opens);
    assertThat(isTaken(service, place, enter)).isEqualTo(opens);
  }

  private <T> boolean isTaken(DomainService<T> service, T place, Presence enter) {
    context.takeSent();
    service.accept(place, Envelope.of(enter));
    return context.takeSent().stream().noneMatch(Stanza::isError);
  }
}
