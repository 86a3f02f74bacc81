package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.Storage;
import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.StanzaIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of messages that are appended for their sender and their receiver together.
public abstract class SharedMessageContract extends StoresContract {
  private static final Jid PHONE = Jid.of("romeo@example.net/phone");
  private static final Portion ALL = new Portion(false, 100, 1L << 30);

  public SharedMessageContract() {
    settings = new Storage(true, true, 0, 512, true);
  }

  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  /// Romeo's phone sends to Juliet.
  private Entry sent(String body) {
    return new Entry(ROMEO, stores.messages().nextId(), JULIET, message(PHONE, JULIET, body));
  }

  private static Entry received(Entry sent) {
    String id = "<stanza-id xmlns='urn:xmpp:sid:0' by='" + JULIET + "' id='" + sent.id() + "'/>";
    Message stamped =
        sent.message().withPayload(StanzaIds.NAME, id.getBytes(StandardCharsets.US_ASCII));
    return new Entry(JULIET, sent.id(), PHONE, stamped);
  }

  private MessageLog.Receipt append(Entry sent, Keep keep) {
    return stores.messages().append(received(sent), keep, true, sent);
  }

  private List<Entry> archive(Jid owner, @Nullable Jid with, @Nullable String text) {
    Filter filter = new Filter(with, Long.MIN_VALUE, Long.MAX_VALUE, null, text);
    return stores.archive().page(owner, filter, ALL).entries();
  }

  private List<String> bodies(Jid owner) {
    return archive(owner, null, null).stream().map(StoresContract::body).toList();
  }

  private static void assertSame(Entry found, Entry expected) {
    assertThat(found.owner()).isEqualTo(expected.owner());
    assertThat(found.id()).isEqualTo(expected.id());
    assertThat(found.with()).isEqualTo(expected.with());
    assertThat(found.message().toElement()).isEqualTo(expected.message().toElement());
  }

  @Test
  void eachHasItsOwnCopy() {
    Entry sent = sent("hail");
    append(sent, Keep.ARCHIVE);
    for (int round = 0; round < 2; round++) {
      assertSame(archive(ROMEO, null, null).getFirst(), sent);
      assertSame(archive(JULIET, null, null).getFirst(), received(sent));
      assertSame(archive(ROMEO, JULIET, null).getFirst(), sent);
      assertSame(archive(JULIET, ROMEO, null).getFirst(), received(sent));
      assertSame(archive(JULIET, PHONE, null).getFirst(), received(sent));
      assertThat(archive(ROMEO, ROMEO, null)).isEmpty();
      assertThat(archive(JULIET, JULIET, null)).isEmpty();
      assertThat(archive(JULIET, null, "hail")).hasSize(1);
      assertThat(archive(ROMEO, null, "hail")).hasSize(1);
      assertThat(stores.archive().holds(ROMEO, List.of(sent.id()))).isTrue();
      assertThat(stores.archive().holds(JULIET, List.of(sent.id()))).isTrue();
      reopen();
    }
  }

  @Test
  void itWaitsForItsReceiverOnly() {
    MessageLog.Receipt receipt = append(sent("one"), Keep.ARCHIVE);
    append(sent("two"), Keep.ARCHIVE);
    assertThat(waiting(JULIET)).containsExactly("one", "two");
    assertThat(waiting(ROMEO)).isEmpty();
    assertThat(stores.messages().waitingCount(JULIET)).isEqualTo(2);
    receipt.delivered();
    assertThat(waiting(JULIET)).containsExactly("two");
    reopen();
    assertThat(waiting(JULIET)).containsExactly("two");
    assertThat(bodies(ROMEO)).containsExactly("one", "two");
  }

  @Test
  void whatTheReceiverKeepsUntilDeliveryStaysWithItsSender() {
    append(sent("at once"), Keep.UNTIL_DELIVERED).delivered();
    MessageLog.Receipt later = append(sent("later"), Keep.UNTIL_DELIVERED);
    Entry byId = sent("by id");
    append(byId, Keep.UNTIL_DELIVERED);
    append(sent("never"), Keep.UNTIL_DELIVERED);
    stores.messages().flush();
    later.delivered();
    stores.messages().delivered(JULIET, List.of(byId.id()));
    for (int round = 0; round < 2; round++) {
      assertThat(waiting(JULIET)).containsExactly("never");
      assertThat(bodies(JULIET)).isEmpty();
      assertThat(bodies(ROMEO)).containsExactly("at once", "later", "by id", "never");
      reopen();
    }
  }

  @Test
  void eachPurgesItsPartAlone() {
    for (int i = 0; i < 4; i++) {
      append(sent("m" + i), Keep.ARCHIVE).delivered();
    }
    assertThat(stores.archive().purge(ROMEO, Long.MIN_VALUE, 1, 100)).isEqualTo(3);
    assertThat(bodies(ROMEO)).containsExactly("m3");
    assertThat(bodies(JULIET)).containsExactly("m0", "m1", "m2", "m3");
    assertThat(stores.archive().purge(JULIET, Long.MIN_VALUE, 2, 100)).isEqualTo(2);
    assertThat(bodies(JULIET)).containsExactly("m2", "m3");
    assertThat(stores.archive().purge(JULIET, Long.MAX_VALUE, 0, 100)).isEqualTo(2);
    reopen();
    assertThat(bodies(JULIET)).isEmpty();
    assertThat(bodies(ROMEO)).containsExactly("m3");
  }

  @Test
  void aSendersPartIsPurgedWhileTheReceiversWaits() {
    append(sent("m"), Keep.ARCHIVE);
    assertThat(stores.archive().purge(JULIET, Long.MAX_VALUE, 0, 100)).isZero();
    assertThat(stores.archive().purge(ROMEO, Long.MAX_VALUE, 0, 100)).isEqualTo(1);
    assertThat(bodies(ROMEO)).isEmpty();
    assertThat(waiting(JULIET)).containsExactly("m");
    assertThat(bodies(JULIET)).containsExactly("m");
  }

  @Test
  void theOtherKeepsItWhenAnAccountIsRemoved() {
    append(sent("waits"), Keep.ARCHIVE);
    append(sent("read"), Keep.ARCHIVE).delivered();
    stores.accounts().remove(JULIET);
    stores.messages().flush();
    assertThat(bodies(ROMEO)).containsExactly("waits", "read");
    reopen();
    assertThat(bodies(ROMEO)).containsExactly("waits", "read");
    makeAccounts(JULIET);
    assertThat(bodies(JULIET)).isEmpty();
    append(sent("again"), Keep.ARCHIVE);
    stores.accounts().remove(ROMEO);
    reopen();
    assertThat(bodies(JULIET)).containsExactly("again");
    assertThat(waiting(JULIET)).containsExactly("again");
  }

  @Test
  void oneWhoseOtherAccountIsUnknownIsKeptByOne() {
    stores.accounts().remove(JULIET);
    append(sent("to nobody"), Keep.ARCHIVE);
    assertThat(bodies(ROMEO)).containsExactly("to nobody");
    makeAccounts(JULIET);
    stores.accounts().remove(ROMEO);
    append(sent("from nobody"), Keep.ARCHIVE);
    assertThat(bodies(JULIET)).containsExactly("from nobody");
    assertThat(waiting(JULIET)).containsExactly("from nobody");
  }

  @Test
  void eachReplacesItsPartAlone() {
    Entry first = sent("first");
    Entry second = sent("second");
    append(first, Keep.ARCHIVE);
    append(second, Keep.ARCHIVE);
    assertThat(replace(JULIET, first, "hers")).isTrue();
    assertThat(replace(ROMEO, second, "his")).isTrue();
    for (int round = 0; round < 2; round++) {
      assertThat(bodies(JULIET)).containsExactly("hers", "second");
      assertThat(bodies(ROMEO)).containsExactly("first", "his");
      assertThat(archive(ROMEO, null, "first")).hasSize(1);
      assertThat(archive(JULIET, null, "first")).isEmpty();
      assertThat(archive(ROMEO, JULIET, null)).hasSize(2);
      reopen();
    }
    assertThat(replace(ROMEO, first, "both")).isTrue();
    assertThat(replace(JULIET, second, "both")).isTrue();
    assertThat(bodies(JULIET)).containsExactly("hers", "both");
    assertThat(bodies(ROMEO)).containsExactly("both", "his");
  }

  private boolean replace(Jid owner, Entry entry, String body) {
    return stores.archive().replace(owner, entry.id(), message(PHONE, JULIET, body));
  }

  @Test
  void entriesOfDifferentMessagesAreRejected() {
    Entry sent = sent("one");
    Entry other = sent("other");
    assertThatThrownBy(() -> stores.messages().append(received(other), Keep.ARCHIVE, true, sent))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
