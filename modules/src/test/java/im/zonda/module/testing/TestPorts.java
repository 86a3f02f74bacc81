package im.zonda.module.testing;

import im.zonda.federation.ServerLinks;
import im.zonda.federation.ServerLinks.Direction;
import im.zonda.federation.ServerLinks.Link;
import im.zonda.group.ProvidedGroups;
import im.zonda.http.Signer;
import im.zonda.journal.Erasure;
import im.zonda.journal.Journal;
import im.zonda.journal.JournalSearch;
import im.zonda.module.DomainService;
import im.zonda.module.Ports;
import im.zonda.module.SavedState;
import im.zonda.module.Tracer;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.session.CapabilityCache;
import im.zonda.store.AccountAddresses;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StanzaIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The ports of a test's host. A module that is being installed gets those that it declares; parts
/// of modules that a test creates get all.
final class TestPorts {
  private static final Set<String> LOCAL =
      Set.of("example.org", "rooms.example.org", "example.net", "gateway.example.org");

  private static final List<Link> LINKS =
      List.of(
          new Link("example.org", "montague.example", Direction.BIDI),
          new Link("example.org", "denmark.example", Direction.OUTGOING),
          new Link("rooms.example.org", "denmark.example", Direction.BIDI),
          new Link("example.org", "denmark.example", Direction.INCOMING));

  private final TestStores stores;
  private final TestOperations operations;
  private final StanzaIds stanzaIds = new TestStanzaIds();
  private final TestComponents components = new TestComponents();
  private final CapabilityCache capabilities = new TestCapabilities();
  private final SavedState savedState = new TestSavedState();
  private @Nullable Ports declared;

  TestPorts(TestStores stores, TestOperations operations) {
    this.stores = stores;
    this.operations = operations;
  }

  /// Limits the ports to those that are declared; null for no limit.
  void declare(@Nullable Ports ports) {
    declared = ports;
  }

  TestComponents components() {
    return components;
  }

  <T> T get(Class<T> type) {
    if (declared != null && !declared.types().contains(type)) {
      throw new IllegalStateException("not declared: " + type);
    }
    AccountAddresses addresses = stores.accounts()::list;
    Signer signer = (purpose, text) -> (purpose + " " + text).getBytes(StandardCharsets.UTF_8);
    DomainService.LocalDomains domains = LOCAL::contains;
    ServerLinks links = () -> LINKS;
    JournalSearch journal = stores.journal();
    Erasure erasure = _ -> {};
    for (Object port :
        List.of(
            stores.rosters(),
            stores.rooms(),
            stores.pubSub(),
            stores.uploads(),
            stores.files(),
            signer,
            capabilities,
            stores.messages(),
            stores.archive(),
            addresses,
            stores.registration(),
            stores.clients(),
            stanzaIds,
            components,
            operations,
            stores.administration(),
            savedState,
            stores.bytestreams(),
            links,
            journal,
            Journal.NONE,
            Tracer.NONE,
            erasure,
            ProvidedGroups.NONE,
            domains)) {
      if (type.isInstance(port)) {
        return type.cast(port);
      }
    }
    throw new IllegalStateException("no such port: " + type);
  }

  KeyValueStore keyValues(String name) {
    if (declared != null
        && declared.keyValues().stream().noneMatch(each -> each.name().equals(name))) {
      throw new IllegalStateException("not declared: " + name);
    }
    return stores.keyValues(name);
  }
}
