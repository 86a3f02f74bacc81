package im.zonda.module.muc.service;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.muc.MucModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.store.RoomStore;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Temporary rooms in the store after a crash.
final class RoomRestartTest {
  private static final Jid ROOM = Jid.of("coven@rooms.example.org");

  /// A temporary room as it is stored while it has occupants.
  private static RoomStore.Stored left() {
    TestContext context = new TestContext().install(new MucModule());
    return made(context, context.host().services().getFirst());
  }

  private static <T> RoomStore.Stored made(TestContext context, DomainService<T> service) {
    T place = service.load(ROOM);
    service.accept(
        place,
        Envelope.of(
            TestXml.presence(
                "<presence from='crone@example.org/desktop' to='coven@rooms.example.org/witch'>"
                    + "<x xmlns='http://jabber.org/protocol/muc'/></presence>")));
    service.accept(
        place,
        Envelope.of(
            TestXml.iq(
                "<iq type='set' id='1' from='crone@example.org/desktop' to='coven@rooms.example.org'>"
                    + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
                    + "<x xmlns='jabber:x:data' type='submit'/></query></iq>")));
    return Objects.requireNonNull(context.stores().rooms().find(ROOM));
  }

  @Test
  void aFailedCheckIsFollowedByTheNextOne() {
    RoomStore.Stored left = left();
    TestContext context = new TestContext().install(new MucModule());
    context.stores().rooms().save(left.room(), left.affiliations());
    context.host().services().getFirst().started();
    context.stores().failBy(new IllegalStateException("a row that cannot be read"));
    context.clock().advance(Duration.ofMinutes(5));
    context.runTasks();
    context.stores().failBy(null);
    assertThat(context.stores().rooms().find(ROOM)).isNotNull();

    context.clock().advance(Duration.ofSeconds(5));
    context.runTasks();
    assertThat(context.stores().rooms().find(ROOM)).isNull();

    context.clock().advance(Duration.ofSeconds(5));
    context.runTasks();
    assertThat(context.clock().waiting())
        .as("timers, when all have been looked at: that of removed rooms")
        .isEqualTo(1);
  }
}
