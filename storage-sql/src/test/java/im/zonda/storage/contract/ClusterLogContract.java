package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.AppendedOrigins;
import im.zonda.store.ClusterLog;
import im.zonda.store.ClusterLog.Known;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore;
import im.zonda.store.Stores.HomeStart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of the message log as the nodes of a cluster share it, also for stores of one server.
public abstract class ClusterLogContract extends StoresContract {
  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  @Test
  void entriesAreFoundByTheirOrigin() {
    MessageLog log = stores.messages();
    ClusterLog shared = stores.clusterLog();
    Message message = message(JULIET, ROMEO, "word");
    long first = log.nextId();
    log.append(new Entry(ROMEO, first, JULIET, message, 7), Keep.ARCHIVE, true).delivered();
    long second = log.nextId();
    log.append(new Entry(ROMEO, second, JULIET, message, 8), Keep.UNTIL_DELIVERED, true);
    long id = log.nextId();
    log.append(
        new Entry(ROMEO, id, JULIET, message, 9),
        Keep.ARCHIVE,
        true,
        new Entry(JULIET, id, ROMEO, message));
    log.append(entry(ROMEO, JULIET, "of no origin"), Keep.ARCHIVE, true);
    log.flush();
    Map<Long, Known> known =
        shared.keepsOrigins()
            ? Map.of(
                7L, new Known(first, false), 8L, new Known(second, false), 9L, new Known(id, true))
            : Map.of();
    assertThat(shared.findOrigins(Set.of(6L, 7L, 8L, 9L, 10L), Duration.ofSeconds(1)))
        .isEqualTo(known);
    assertThat(shared.findOrigins(Set.of(1L), Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void allOriginsOfTheNewestEntriesAreRead() {
    MessageLog log = stores.messages();
    ClusterLog shared = stores.clusterLog();
    assertThat(shared.appendedOrigins(Duration.ofSeconds(1)).size()).isZero();
    Message message = message(JULIET, ROMEO, "word");
    log.append(new Entry(ROMEO, log.nextId(), JULIET, message, 7), Keep.ARCHIVE, true).delivered();
    long id = log.nextId();
    log.append(
        new Entry(ROMEO, id, JULIET, message, Long.MAX_VALUE),
        Keep.ARCHIVE,
        true,
        new Entry(JULIET, id, ROMEO, message));
    log.append(entry(ROMEO, JULIET, "of no origin"), Keep.ARCHIVE, true);
    log.flush();
    AppendedOrigins appended = shared.appendedOrigins(Duration.ofSeconds(1));
    boolean kept = shared.keepsOrigins();
    assertThat(appended.size()).isEqualTo(kept ? 2 : 0);
    assertThat(appended.contains(7)).isEqualTo(kept);
    assertThat(appended.containsSentCopy(7)).isFalse();
    assertThat(appended.contains(Long.MAX_VALUE)).isEqualTo(kept);
    assertThat(appended.containsSentCopy(Long.MAX_VALUE)).isEqualTo(kept);
    assertThat(appended.contains(6)).isFalse();
    assertThat(appended.contains(0)).isFalse();
  }

  @Test
  void noEntryOfAnOwnerIsAboveTheIdOfTheTakeover() {
    MessageLog log = stores.messages();
    long last = log.nextId();
    log.append(new Entry(ROMEO, last, JULIET, message(JULIET, ROMEO, "word")), Keep.ARCHIVE, true);
    log.flush();
    assertThat(stores.clusterLog().takeOver(ROMEO, last)).isGreaterThanOrEqualTo(last);
    assertThat(stores.clusterLog().takeOver(ROMEO, last + 1)).isGreaterThan(last);
    assertThat(log.nextId()).isGreaterThan(last);
  }

  @Test
  void aHomeTakesItsAccountOver() {
    MessageLog log = stores.messages();
    long last = log.nextId();
    log.append(new Entry(ROMEO, last, JULIET, message(JULIET, ROMEO, "word")), Keep.ARCHIVE, true);
    log.flush();
    boolean shared = stores.clusterLog().keepsOrigins();
    assertThat(open(ROMEO, Long.MIN_VALUE).newest())
        .isGreaterThanOrEqualTo(shared ? last : Long.MIN_VALUE);
    assertThat(open(ROMEO, last)).isEqualTo(new HomeStart(last, 1));
    assertThat(open(ROMEO, last + 1)).isEqualTo(new HomeStart(last + 1, 1));
    assertThat(open(JULIET, last).waiting()).isZero();
    assertThat(log.nextId()).isGreaterThan(last);
  }

  private HomeStart open(Jid account, long newest) {
    return Objects.requireNonNull(stores.openHome(account, newest));
  }

  @Test
  void onlyAnAccountHasAHome() {
    Jid room = Jid.of("coven@rooms.example.net");
    stores.rooms().save(new RoomStore.Room(room, null, NOON, true, false, "", ""), List.of());
    Jid domain = Jid.of("example.net");
    stores.keyValues("tokens").put(domain, "a", new byte[0]);
    stores.accounts().remove(JULIET);
    for (Jid other : List.of(room, domain, JULIET, Jid.of("nobody@example.net"))) {
      assertThat(stores.openHome(other, 0)).as("%s", other).isNull();
    }
  }
}
