package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Administration;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.testkit.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnreservedAccountsTest {
  private static final Jid HOST = Jid.of("a.example");
  private static final Jid RESERVED = Jid.of("bard@a.example");
  private static final Jid FREE = Jid.of("bill@a.example");
  private static final Jid ELSEWHERE = Jid.of("bard@b.example");

  private final FakeClock clock = new FakeClock();
  private final MemoryStores stores = new MemoryStores(clock);
  private final AccountStore accounts = stores.accounts();

  @BeforeEach
  void reserve() {
    Services services =
        Services.DEFAULTS
            .with(Administration.DEFAULTS)
            .with(
                new Services.Invitations(
                    Inviters.NOBODY, Inviters.ADMINS, Duration.ofDays(1), null));
    ServerConfig config =
        ServerConfig.defaults(List.of("a.example", "b.example"), Path.of("data"))
            .withHosts(
                Map.of(
                    "a.example",
                    new ServerConfig.Host(null, null, null, services, null, null, null, null)));
    InvitationModule.invite(
        stores.keyValues(InvitationModule.STORE),
        config.at("a.example"),
        HOST,
        new InvitationModule.Offer(RESERVED.local(), null, null, null),
        clock,
        () -> "0123456789abcdef");
  }

  @Test
  void aNameThatAnInvitationHasReservedIsTaken() {
    assertThat(create(RESERVED, FREE, ELSEWHERE)).containsExactly(RESERVED);
    assertThat(accounts.find(RESERVED)).isNull();
    assertThat(accounts.find(FREE)).isNotNull();
    assertThat(accounts.find(ELSEWHERE)).isNotNull();
    assertThat(create(RESERVED, FREE)).containsExactlyInAnyOrder(RESERVED, FREE);
  }

  @Test
  void anInvitationThatHasExpiredReservesNothing() {
    clock.advance(Duration.ofDays(2));
    assertThat(create(RESERVED)).isEmpty();
    assertThat(accounts.count("a.example")).isEqualTo(1);
  }

  private List<Jid> create(Jid... wanted) {
    return new UnreservedAccounts(stores, clock)
        .create(
            List.of(wanted).stream()
                .map(jid -> new Account(jid, List.of(), clock.instant()))
                .toList());
  }
}
