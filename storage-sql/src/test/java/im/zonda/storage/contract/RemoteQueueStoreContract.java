package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RemoteQueueStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Contract of the store of queues for remote domains.
public abstract class RemoteQueueStoreContract extends StoresContract {
  private static final String LOCAL = "example.net";
  private static final Jid VERONA = RemoteQueueStore.address(LOCAL, "verona.example");
  private static final Jid MANTUA = RemoteQueueStore.address(LOCAL, "mantua.example");
  private static final Jid ADDRESS = RemoteQueueStore.address(LOCAL, "[::1]");

  private RemoteQueueStore queues() {
    return stores.remoteQueues();
  }

  private MessageLog.Receipt append(Jid queue, String body) {
    return store(entry(queue, ROMEO, body), Keep.UNTIL_DELIVERED);
  }

  @Test
  void messagesWaitInAQueueAlsoAfterAnotherStart() {
    queues().create(VERONA);
    queues().create(MANTUA);
    append(VERONA, "one");
    append(MANTUA, "other");
    append(VERONA, "two");
    reopen();
    assertThat(waiting(VERONA)).containsExactly("one", "two");
    assertThat(waiting(MANTUA)).containsExactly("other");
    assertThat(stores.messages().waitingCount(VERONA)).isEqualTo(2);
  }

  @Test
  void creatingAgainChangesNothing() {
    queues().create(VERONA);
    append(VERONA, "one");
    queues().create(VERONA);
    assertThat(waiting(VERONA)).containsExactly("one");
    assertThat(queues().list(LOCAL, null, 10)).containsExactly(VERONA);
  }

  @Test
  void isRemovedOnlyWhenNothingWaits() {
    queues().create(VERONA);
    MessageLog.Receipt one = append(VERONA, "one");
    stores.messages().flush();
    MessageLog.Entry two = entry(VERONA, ROMEO, "two");
    store(two, Keep.UNTIL_DELIVERED);
    assertThat(queues().remove(VERONA)).isFalse();
    one.delivered();
    assertThat(queues().remove(VERONA)).isFalse();
    assertThat(waiting(VERONA)).containsExactly("two");
    stores.messages().delivered(VERONA, List.of(two.id()));
    assertThat(queues().remove(VERONA)).isTrue();
    assertThat(queues().remove(VERONA)).isTrue();
    reopen();
    assertThat(queues().list(LOCAL, null, 10)).isEmpty();
  }

  @Test
  void aRemovedQueueCanBeCreatedAgain() {
    queues().create(VERONA);
    append(VERONA, "one").delivered();
    assertThat(queues().remove(VERONA)).isTrue();
    queues().create(VERONA);
    append(VERONA, "two");
    reopen();
    assertThat(waiting(VERONA)).containsExactly("two");
  }

  @Test
  void listsThoseOfOneDomainInOrderAndInPages() {
    Jid elsewhere = RemoteQueueStore.address("rooms.example.net", "verona.example");
    List.of(VERONA, MANTUA, ADDRESS, elsewhere).forEach(queues()::create);
    makeAccounts(ROMEO, Jid.of("zoe@example.net"));
    assertThat(queues().list(LOCAL, null, 10)).containsExactly(ADDRESS, MANTUA, VERONA);
    assertThat(queues().list(LOCAL, null, 1)).containsExactly(ADDRESS);
    assertThat(queues().list(LOCAL, "[::1]", 10)).containsExactly(MANTUA, VERONA);
    assertThat(queues().list(LOCAL, "verona.example", 10)).isEmpty();
    assertThat(queues().list("rooms.example.net", null, 10)).containsExactly(elsewhere);
  }

  @Test
  void queuesAreNoAccounts() {
    queues().create(VERONA);
    makeAccounts(ROMEO);
    assertThat(stores.accounts().list(LOCAL, null, 10)).containsExactly(ROMEO);
    assertThat(stores.accounts().count(LOCAL)).isEqualTo(1);
    assertThat(stores.accounts().find(VERONA)).isNull();
    assertThat(stores.accounts().changeKeys(VERONA, List.of())).isFalse();
    assertThat(stores.accounts().remove(VERONA)).isFalse();
    assertThat(queues().list(LOCAL, null, 10)).containsExactly(VERONA);
  }

  @Test
  void takesOnlyAddressesOfQueues() {
    assertThatThrownBy(() -> queues().create(ROMEO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queues().create(Jid.of(LOCAL)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queues().create(Jid.of("romeo@example.net/orchard")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
