package im.zonda.storage.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of the store of rosters.
public abstract class RosterStoreContract extends StoresContract {
  private static final Jid NURSE = Jid.of("nurse@example.net");

  @BeforeEach
  void accounts() {
    makeAccounts(ROMEO, JULIET);
  }

  @Test
  void startsEmptyWithVersionZero() {
    assertThat(stores.rosters().load(ROMEO)).isEqualTo(new RosterStore.Roster(0, List.of()));
    assertThat(stores.rosters().load(Jid.of("nobody@example.net")))
        .isEqualTo(new RosterStore.Roster(0, List.of()));
  }

  @Test
  void keepsEveryFieldOfEveryKindOfItem() {
    List<RosterItem> items = new ArrayList<>();
    int number = 0;
    for (Subscription subscription : Subscription.values()) {
      for (boolean flag : new boolean[] {false, true}) {
        items.add(
            new RosterItem(
                Jid.of("contact" + number++ + "@example.org"),
                flag ? "Name " + number : null,
                subscription,
                flag,
                !flag,
                flag ? List.of("A", "B") : List.of(),
                null,
                flag));
      }
    }
    items.forEach(item -> stores.rosters().put(ROMEO, item));
    assertThat(stores.rosters().load(ROMEO).items()).containsExactlyInAnyOrderElementsOf(items);
    reopen();
    assertThat(stores.rosters().load(ROMEO).items()).containsExactlyInAnyOrderElementsOf(items);
    assertThat(stores.rosters().load(JULIET).items()).isEmpty();
  }

  @Test
  void keepsTheRequestAsReceived() {
    Presence request =
        Presence.of(
            Presence.Type.SUBSCRIBE,
            NURSE,
            ROMEO,
            "r1",
            List.of(
                Element.builder(Namespaces.CLIENT, "status").text("It's <me> & \"you\" 漢").build(),
                Element.builder("urn:example", "nick").attribute("a", "'b'").build()));
    stores
        .rosters()
        .put(
            ROMEO,
            new RosterItem(
                NURSE, null, Subscription.NONE, false, false, List.of(), request, false));
    reopen();
    RosterItem item = stores.rosters().load(ROMEO).items().getFirst();
    assertThat(Objects.requireNonNull(item.request()).toElement()).isEqualTo(request.toElement());
  }

  @Test
  void versionsGrowWithEveryChange() {
    long first = stores.rosters().put(ROMEO, plain(NURSE, "One"));
    long second = stores.rosters().put(ROMEO, plain(NURSE, "Two"));
    long third = stores.rosters().remove(ROMEO, NURSE);
    assertThat(first).isPositive();
    assertThat(second).isGreaterThan(first);
    assertThat(third).isGreaterThan(second);
    reopen();
    assertThat(stores.rosters().load(ROMEO)).isEqualTo(new RosterStore.Roster(third, List.of()));
    assertThat(stores.rosters().put(ROMEO, plain(NURSE, "Three"))).isGreaterThan(third);
  }

  @Test
  void replacesAnItemOfTheSameContact() {
    stores.rosters().put(ROMEO, plain(NURSE, "One"));
    stores.rosters().put(ROMEO, plain(NURSE, "Two"));
    assertThat(stores.rosters().load(ROMEO).items()).containsExactly(plain(NURSE, "Two"));
  }

  @Test
  void removingWhatIsNotThereChangesNothing() {
    assertThat(stores.rosters().remove(ROMEO, NURSE)).isZero();
    long version = stores.rosters().put(ROMEO, plain(JULIET, "Juliet"));
    assertThat(stores.rosters().remove(ROMEO, NURSE)).isEqualTo(version);
    assertThat(stores.rosters().load(ROMEO).version()).isEqualTo(version);
  }

  @Test
  void keepsHostileNamesAndGroups() {
    for (String text : HOSTILE) {
      stores.rosters().put(ROMEO, withGroups(text, List.of(text, "second", text + "3")));
      RosterItem item = stores.rosters().load(ROMEO).items().getFirst();
      assertThat(item.name()).isEqualTo(text);
      assertThat(item.groups()).containsExactly(text, "second", text + "3");
    }
    stores.rosters().put(ROMEO, withGroups("all", HOSTILE));
    assertThat(stores.rosters().load(ROMEO).items().getFirst().groups()).isEqualTo(HOSTILE);
  }

  @Test
  void keepsContactsWithResourcesAndOfDomains() {
    Jid full = Jid.of("nurse@example.net/Тест 'x'");
    Jid domain = Jid.of("example.org");
    stores.rosters().put(ROMEO, plain(full, "full"));
    stores.rosters().put(ROMEO, plain(domain, "domain"));
    assertThat(stores.rosters().load(ROMEO).items())
        .containsExactlyInAnyOrder(plain(full, "full"), plain(domain, "domain"));
  }

  @Test
  void refusesARosterWithoutAccount() {
    Jid nobody = Jid.of("nobody@example.net");
    assertThatThrownBy(() -> stores.rosters().put(nobody, plain(NURSE, "x")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nobody@example.net");
    makeAccounts(nobody);
    assertThat(stores.rosters().load(nobody).items()).isEmpty();
  }

  @Test
  void manyChangesAtOnceAllCount() {
    RosterStore home = stores.rosters(); // one process of a cluster at a time
    atOnce(200, i -> home.put(ROMEO, plain(Jid.of("contact" + i + "@example.org"), "x")));
    assertThat(stores.rosters().load(ROMEO).items()).hasSize(200);
  }

  private static RosterItem plain(Jid contact, String name) {
    return new RosterItem(
        contact, name, Subscription.BOTH, false, false, List.of("Friends"), null, true);
  }

  private static RosterItem withGroups(String name, List<String> groups) {
    return new RosterItem(NURSE, name, Subscription.TO, true, false, groups, null, true);
  }
}
