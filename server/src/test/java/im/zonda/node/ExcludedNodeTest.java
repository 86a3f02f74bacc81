package im.zonda.node;

import static org.assertj.core.api.Assertions.assertThatCode;

import im.zonda.jid.Jid;
import im.zonda.node.copy.HomePart;
import im.zonda.store.StoreException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// A node that was evicted from the cluster.
class ExcludedNodeTest {
  private static final NoHomes FENCED =
      new NoHomes() {
        @Override
        public List<HomePart> evict(Predicate<Jid> homes) {
          throw new StoreException(StoreException.Category.CLOSED, "fenced", null);
        }
      };

  /// The database may know it first, and refuses what the homes have to write.
  @Test
  void itForgetsItsHomesAlsoIfNothingCanBeWritten() {
    Incarnations incarnations =
        new Incarnations(self ->
            new Node(
                new NodeSetup(
                    self,
                    2,
                    1 << 16,
                    (to, frames, _) -> {},
                    Runnable::run,
                    () -> 0,
                    PlacementFence.NONE)));
    incarnations.start(FENCED);
    assertThatCode(incarnations::excluded).doesNotThrowAnyException();
  }
}
