package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.GuestAddress;
import im.zonda.auth.EncryptedStanzaIds;
import im.zonda.cluster.node.Nodes;
import im.zonda.config.Guests;
import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.home.router.StanzaRouter;
import im.zonda.home.session.LocalSession;
import im.zonda.hook.HostHandlers;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Declarations;
import im.zonda.runtime.TestRuntime;
import im.zonda.session.ClientNetwork;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.storage.memory.MemoryStores;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Homes of guests (XEP-0175): a session and no account.
final class GuestHomeTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final Jid GUEST = GuestAddress.of(HOST, 1, 1).withResource("r");
  private static final ClientNetwork HOME = new ClientNetwork(false, 1);
  private static final ClientNetwork OFFICE = new ClientNetwork(false, 2);

  private Guests rules = new Guests(true, true, true, 3, 2, 0);
  private final List<Runnable> timers = new ArrayList<>();
  private final MemoryStores stores = MemoryStores.withAccounts(() -> Instant.EPOCH, ROMEO.bare());
  private final StanzaRouter router = router();

  private StanzaRouter router() {
    ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    StanzaRouter made =
        new StanzaRouter(
            config,
            stores,
            Nodes.NONE,
            new TestRuntime()
                .scheduler((delay, task) -> {
                  timers.add(task);
                  return () -> timers.remove(task);
                })
                .build(),
            new EncryptedStanzaIds(new byte[32]));
    HostHandlers handlers = new HostHandlers();
    handlers.add(Declarations.GUESTS, 0, () -> rules, "test");
    Dispatch host = new Dispatch(HOST, handlers);
    host.limit(config.limits().ofHost());
    made.open(host);
    return made;
  }

  private static Jid guest(int number) {
    return GuestAddress.of(HOST, number, number).withResource("r");
  }

  private final class Client {
    private final RecordingStream stream = new RecordingStream();
    private final TestLink link = new TestLink(router.sessions(), stream);

    private @Nullable ErrorCondition bind(Jid jid, @Nullable ClientNetwork from) {
      return link.bind(jid, from).join() instanceof ToStream.NotBound(var condition)
          ? condition
          : null;
    }

    private Client bound(Jid jid, @Nullable ClientNetwork from) {
      assertThat(bind(jid, from)).isNull();
      return this;
    }

    /// Sends available presence, and sets it at the session: no module does that here.
    private Client available(Jid jid) {
      Presence presence = (Presence) TestStanzas.of("<presence/>");
      router
          .sessions()
          .registry()
          .submit(
              jid.bare(),
              false,
              home -> {
                LocalSession session = home.session(Objects.requireNonNull(jid.resource()));
                Objects.requireNonNull(session).presence(presence);
              });
      link.received(presence);
      return this;
    }

    private void sends(String id, Jid to) {
      link.received(
          TestStanzas.of(
              "<message type='chat' id='"
                  + id
                  + "' to='"
                  + to
                  + "'><body>"
                  + id
                  + "</body></message>"));
    }

    private List<String> got() {
      return stream.stanzas().stream()
          .map(each -> (each.isError() ? "error " : "") + each.id())
          .toList();
    }
  }

  @Test
  void messagesReachAGuestAndAreNotStored() {
    Client guest = new Client().bound(GUEST, HOME).available(GUEST);
    Client romeo = new Client().bound(ROMEO, null).available(ROMEO);
    romeo.sends("m1", GUEST.bare());
    romeo.sends("m2", GUEST);
    guest.sends("m3", ROMEO);
    assertThat(guest.got()).containsExactly("m1", "m2");
    assertThat(guest.stream.stanzas())
        .as("no id of an archive")
        .allSatisfy(each -> assertThat(each.toElement().toString()).doesNotContain("stanza-id"));
    assertThat(romeo.got()).containsExactly("m3");
    assertThat(stores.messages().waitingCount(GUEST.bare())).isZero();
    assertThat(stores.accounts().find(GUEST.bare())).isNull();
  }

  @Test
  void aGuestWhoIsNotAvailableOrHasGoneIsLikeNobody() {
    Client guest = new Client().bound(GUEST, HOME);
    Client romeo = new Client().bound(ROMEO, null).available(ROMEO);
    romeo.sends("m1", GUEST.bare());
    assertThat(romeo.got()).containsExactly("error m1");
    guest.link.ended();
    romeo.sends("m2", GUEST);
    romeo.sends("m3", GUEST.bare());
    assertThat(romeo.got()).containsExactly("error m1", "error m2", "error m3");
  }

  @Test
  void whatAGuestHasNotAcknowledgedComesBackWhenItsTimeIsOver() {
    Client guest = new Client().bound(GUEST, HOME);
    guest.link.manage();
    guest.available(GUEST);
    Client romeo = new Client().bound(ROMEO, null).available(ROMEO);
    guest.link.lost();
    romeo.sends("m1", GUEST);
    assertThat(romeo.got()).isEmpty();
    List.copyOf(timers).forEach(Runnable::run);
    assertThat(romeo.got()).containsExactly("error m1");
    assertThat(new Client().bind(guest(2), HOME)).as("the place is free again").isNull();
    assertThat(new Client().bind(guest(3), HOME)).isNull();
  }

  @Test
  void aGuestResumesItsSession() {
    Client guest = new Client().bound(GUEST, HOME);
    String id = guest.link.manage();
    guest.available(GUEST);
    guest.link.lost();
    Client romeo = new Client().bound(ROMEO, null).available(ROMEO);
    romeo.sends("m1", GUEST);
    Client again = new Client();
    assertThat(again.link.resume(GUEST, id, 0).join()).isInstanceOf(ToStream.Resumed.class);
    assertThat(again.got()).contains("m1");
  }

  @Test
  void row140_guestsAreBoundedInAllAndOfANetwork() {
    Client first = new Client().bound(guest(1), HOME);
    new Client().bound(guest(2), HOME);
    assertThat(new Client().bind(guest(3), HOME)).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    new Client().bound(guest(4), OFFICE);
    assertThat(new Client().bind(guest(5), OFFICE)).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    first.link.ended();
    new Client().bound(guest(6), HOME);
    assertThat(new Client().bind(ROMEO, null)).as("accounts are not counted").isNull();
  }

  @Test
  void row141_noOneTakesAnAddressThatIsNotOnesOwn() {
    new Client().bound(GUEST, HOME);
    assertThat(new Client().bind(GUEST.bare().withResource("other"), HOME))
        .as("a guest who is here")
        .isEqualTo(ErrorCondition.NOT_AUTHORIZED);
    assertThat(new Client().bind(guest(2), null))
        .as("an account with the name of a guest")
        .isEqualTo(ErrorCondition.NOT_AUTHORIZED);
    assertThat(new Client().bind(ROMEO, HOME))
        .as("a guest with the name of an account")
        .isEqualTo(ErrorCondition.NOT_AUTHORIZED);
    assertThat(new Client().bind(Jid.of("juliet@example.org/r"), HOME))
        .as("a guest with a name that accounts may have")
        .isEqualTo(ErrorCondition.NOT_AUTHORIZED);
  }

  @Test
  void row142_withoutRulesNoOneIsAGuest() {
    Client guest = new Client().bound(GUEST, HOME).available(GUEST);
    Client romeo = new Client().bound(ROMEO, null).available(ROMEO);
    rules = Guests.DEFAULTS;
    assertThat(new Client().bind(guest(2), HOME)).isEqualTo(ErrorCondition.NOT_AUTHORIZED);
    guest.sends("m1", ROMEO);
    assertThat(guest.stream.closedWith()).isEqualTo(StreamErrorCondition.NOT_AUTHORIZED);
    assertThat(romeo.got()).isEmpty();
  }
}
