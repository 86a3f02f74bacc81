package im.zonda.router;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Placement;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.DomainService;
import im.zonda.module.Places;
import im.zonda.stanza.Stanza;
import im.zonda.storage.memory.MemoryStores;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServiceHomesTest {
  private static final Jid FIRST = Jid.of("first@rooms.example.org");
  private static final Jid BROKEN = Jid.of("broken@rooms.example.org");
  private static final Jid LAST = Jid.of("last@rooms.example.org");

  private final SteppedWorkers workers = new SteppedWorkers();
  private final List<String> done = new ArrayList<>();
  private final StanzaRouter router =
      new StanzaRouter(
          ServerConfig.defaults(List.of("example.org"), Path.of("data")),
          new MemoryStores(InstantSource.system()),
          Placement.LOCAL,
          () -> "id",
          InstantSource.system(),
          (delay, task) -> () -> {},
          workers);
  private final Places<Jid> places = router.serve(new Addresses());

  /// At every address there is the address.
  private final class Addresses implements DomainService<Jid> {
    @Override
    public Jid domain() {
      return Jid.of("rooms.example.org");
    }

    @Override
    public String title() {
      return "Addresses";
    }

    @Override
    public Jid open(Jid address) {
      done.add((workers.working() ? "open " : "open on the caller's thread ") + address.local());
      return address;
    }

    @Override
    public boolean canClose(Jid place) {
      if (place.equals(BROKEN)) {
        throw new IllegalStateException("a place that does not know");
      }
      return true;
    }

    @Override
    public boolean mayBlock(Jid place, Stanza stanza) {
      return false;
    }

    @Override
    public void take(Jid place, Stanza stanza, Custody custody) {}

    @Override
    public void takeForDomain(Stanza stanza) {}
  }

  private void at(Jid address, String what) {
    places.at(address, false, place -> done.add(what));
  }

  @Test
  void aPlaceThatCannotBeClosedKeepsNoOtherFromClosing() {
    at(FIRST, "first");
    at(BROKEN, "broken");
    at(LAST, "last");
    workers.runAll();
    assertThat(places.open()).hasSize(3);

    router.sweep();
    assertThat(places.open()).containsExactly(BROKEN);
    at(BROKEN, "broken again");
    assertThat(done).endsWith("broken again");
  }

  @Test
  void aPlaceIsOpenedByAWorkerAndTasksKeepTheirOrder() {
    at(FIRST, "a");
    at(FIRST, "b");
    assertThat(done).isEmpty();
    workers.runAll();
    at(FIRST, "c");
    assertThat(done).containsExactly("open first", "a", "b", "c");
  }

  @Test
  void aPlaceThatWasClosedIsOpenedByAWorkerAgain() {
    at(FIRST, "a");
    workers.runAll();
    router.sweep();
    at(FIRST, "b");
    assertThat(done).containsExactly("open first", "a");
    workers.runAll();
    assertThat(done).containsExactly("open first", "a", "open first", "b");
  }
}
