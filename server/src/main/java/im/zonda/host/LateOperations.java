package im.zonda.host;

import im.zonda.operation.Caller;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The executor of operations, once it is known.
final class LateOperations implements Operations {
  private static final Catalogue NOTHING =
      new Catalogue() {
        @Override
        public List<Operation<?, ?>> operations() {
          return List.of();
        }

        @Override
        public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
          return null;
        }

        @Override
        public @Nullable String hostOf(String domain) {
          return null;
        }
      };

  private volatile @Nullable Operations known;

  void set(Operations operations) {
    known = operations;
  }

  private Operations known() {
    Operations operations = known;
    if (operations == null) {
      throw new RejectedExecutionException("this server runs no operations");
    }
    return operations;
  }

  @Override
  public Catalogue catalogue() {
    Operations operations = known;
    return operations == null ? NOTHING : operations.catalogue();
  }

  @Override
  public List<String> nodes() {
    Operations operations = known;
    return operations == null ? List.of() : operations.nodes();
  }

  @Override
  public Outcome<?> run(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    return known().run(caller, name, given);
  }

  @Override
  public <I extends Record, R extends Record> Outcome<R> run(
      Caller caller, Operation<I, R> operation, I input) {
    return known().run(caller, operation, input);
  }

  @Override
  public boolean allows(Caller caller, String name, Map<String, ? extends @Nullable Object> given) {
    return known().allows(caller, name, given);
  }

  @Override
  public void later(Runnable task) {
    known().later(task);
  }
}
