package im.zonda.module.muc.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.muc.MucModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import im.zonda.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a room has another node keep, for the case that its own is killed.
final class RoomMoveTest {
  private static final Jid ROOM = Jid.of("coven@rooms.example.org");
  private static final String ONE = "crone@example.org/desktop";
  private static final String TWO = "wiccan@example.org/laptop";
  private static final String THREE = "hag@example.org/pda";

  /// A room at a node.
  private static final class Stage<T> {
    final DomainService<T> service;
    final T home;

    /// All that has been copied, and is there.
    final Map<String, byte[]> copies = new LinkedHashMap<>();

    Stage(DomainService<T> service) {
      this.service = service;
      this.home = service.load(ROOM);
    }

    /// Handles a stanza, and returns what it has changed.
    Map<String, byte @Nullable []> accept(Stanza stanza) {
      service.accept(home, Envelope.of(stanza));
      return changes(false);
    }

    Map<String, byte @Nullable []> changes(boolean all) {
      Map<String, byte @Nullable []> changed = new LinkedHashMap<>();
      service.copyChanges(
          home,
          all,
          (key, state) -> {
            changed.put(key, state);
            if (state == null) {
              copies.remove(key);
            } else {
              copies.put(key, state);
            }
          });
      return changed;
    }
  }

  private final TestContext context = new TestContext().install(new MucModule());
  private final Stage<?> stage = stage();

  private Stage<?> stage() {
    return new Stage<>(context.host().services().getFirst());
  }

  private static Stanza presence(String from, String nick, String content) {
    return TestXml.presence(
        "<presence from='%s' to='%s/%s'>%s</presence>".formatted(from, ROOM, nick, content));
  }

  private static Stanza enter(String from, String nick) {
    return presence(from, nick, "<x xmlns='http://jabber.org/protocol/muc'/>");
  }

  private static Stanza iq(String namespace, String content) {
    return TestXml.iq(
        "<iq type='set' id='1' from='%s' to='%s'><query xmlns='%s'>%s</query></iq>"
            .formatted(ONE, ROOM, namespace, content));
  }

  private static Stanza configure() {
    return iq("http://jabber.org/protocol/muc#owner", "<x xmlns='jabber:x:data' type='submit'/>");
  }

  private void fill() {
    stage.accept(enter(ONE, "first"));
    stage.accept(configure());
    stage.accept(enter(TWO, "second"));
  }

  @Test
  void aRoomIsCopiedOnceItIsStored() {
    assertThat(stage.accept(enter(ONE, "first"))).isEmpty();
    assertThat(stage.accept(configure())).containsOnlyKeys(ONE);
  }

  @Test
  void oneWhoEntersCostsOneCopy() {
    fill();
    assertThat(stage.accept(enter(THREE, "third"))).containsOnlyKeys(THREE);
  }

  @Test
  void messagesCostNone() {
    fill();
    assertThat(
            stage.accept(
                TestXml.message(
                    "<message type='groupchat' from='%s' to='%s'><body>hi</body></message>"
                        .formatted(ONE, ROOM))))
        .isEmpty();
  }

  @Test
  void whatChangesIsCopied() {
    fill();
    byte[] before = stage.copies.get(TWO);
    assertThat(stage.accept(presence(TWO, "second", "<show>away</show>"))).containsOnlyKeys(TWO);
    assertThat(stage.copies.get(TWO)).isNotEqualTo(before);
    byte[] away = stage.copies.get(TWO);
    assertThat(stage.accept(presence(TWO, "renamed", ""))).containsOnlyKeys(TWO);
    assertThat(stage.copies.get(TWO)).isNotEqualTo(away);
    byte[] renamed = stage.copies.get(TWO);
    assertThat(
            stage.accept(
                iq(
                    "http://jabber.org/protocol/muc#admin",
                    "<item nick='renamed' role='moderator'/>")))
        .containsOnlyKeys(TWO);
    assertThat(stage.copies.get(TWO)).isNotEqualTo(renamed);
  }

  @Test
  void oneWhoIsNotThereAnyMoreIsRemoved() {
    fill();
    stage.accept(enter(THREE, "third"));
    stage.accept(
        TestXml.presence(
            "<presence type='unavailable' from='%s' to='%s/second'/>".formatted(TWO, ROOM)));
    assertThat(stage.copies).containsOnlyKeys(ONE, THREE);
    stage.accept(iq("http://jabber.org/protocol/muc#admin", "<item nick='third' role='none'/>"));
    assertThat(stage.copies).containsOnlyKeys(ONE);
  }

  @Test
  void aRoomThatIsDestroyedHasNoCopies() {
    fill();
    stage.accept(iq("http://jabber.org/protocol/muc#owner", "<destroy/>"));
    assertThat(stage.copies).isEmpty();
  }

  @Test
  void theNextNodeHasTheSameOccupantsAndTheyNoticeNothing() {
    fill();
    stage.accept(presence(TWO, "second", "<show>away</show>"));
    int sent = context.sent().size();
    Stage<?> next = stage();
    restore(next, stage.copies);
    assertThat(context.sent()).hasSize(sent);
    next.changes(true);
    assertThat(next.copies).containsExactlyEntriesOf(stage.copies);
  }

  private static <T> void restore(Stage<T> next, Map<String, byte[]> state) {
    next.service.arrived(next.home, state);
  }

  @Test
  void anOccupantThatCannotBeReadIsLeftOut() {
    fill();
    Map<String, byte[]> damaged = new LinkedHashMap<>(stage.copies);
    damaged.put(ONE, new byte[] {1, 2, 3});
    Stage<?> next = stage();
    restore(next, damaged);
    next.changes(true);
    assertThat(next.copies).containsOnlyKeys(TWO);
  }

  private Map<String, byte[]> spoiled(String key, String what, String by) {
    Map<String, byte[]> copies = new LinkedHashMap<>(stage.copies);
    String before = new String(Objects.requireNonNull(copies.get(key)), ISO_8859_1);
    String after = before.replace(what, by);
    assertThat(after).isNotEqualTo(before).hasSameSizeAs(before);
    copies.put(key, after.getBytes(ISO_8859_1));
    return copies;
  }

  @Test
  void anOccupantWithoutAnAddressIsLeftOut() {
    fill();
    Stage<?> next = stage();
    restore(next, spoiled(ONE, "coven@", "@oven@"));
    next.changes(true);
    assertThat(next.copies).containsOnlyKeys(TWO);
  }

  /// Its client learns that it is no longer in the room, and enters again.
  @Test
  void anOccupantWhosePresenceCannotBeReadIsNotified() {
    fill();
    stage.accept(presence(ONE, "first", "<show>away</show>"));
    context.takeSent();
    Stage<?> next = stage();
    restore(next, spoiled(ONE, "<show>", "<show<"));
    next.changes(true);
    assertThat(next.copies).containsOnlyKeys(TWO);
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(sent -> {
          assertThat(sent.to()).isEqualTo(Jid.of(ONE));
          assertThat(sent.toElement().toString()).contains("unavailable", "332");
        });
  }

  /// The database fails while what the dead node had not sent is read.
  @Test
  void whatCannotBeReadIsSentOnceWhenTheDatabaseIsBack() {
    context.stores().messages().keepOrigins();
    fill();
    stage.changes(true);
    Map<String, byte[]> copies = new LinkedHashMap<>(stage.copies);
    stage.accept(
        TestXml.message(
            "<message type='groupchat' from='%s' to='%s' id='m'><body>hi</body></message>"
                .formatted(ONE, ROOM)));
    context.takeSent();
    Stage<?> next = stage();
    context.stores().archive().failReads(StoreException.Category.UNAVAILABLE);
    assertThatThrownBy(() -> restore(next, copies)).isInstanceOf(StoreException.class);
    assertThat(context.takeSent()).isEmpty();
    context.stores().archive().failReads(null);
    restore(next, copies);
    assertThat(context.takeSent())
        .extracting(each -> each.to() + " " + each.id())
        .containsExactlyInAnyOrder(ONE + " m", TWO + " m");
  }
}
