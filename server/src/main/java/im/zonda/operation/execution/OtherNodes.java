package im.zonda.operation.execution;

import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The nodes of the cluster, where operations can be run too. Any thread may call.
public interface OtherNodes {
  /// A server without a cluster.
  OtherNodes NONE =
      new OtherNodes() {
        @Override
        public @Nullable String self() {
          return null;
        }

        @Override
        public List<String> names() {
          return List.of();
        }

        @Override
        public CompletableFuture<Outcome<?>> run(
            String node,
            Caller caller,
            Operation<?, ?> operation,
            Map<String, @Nullable Object> given) {
          throw new IllegalStateException("there is no other node");
        }
      };

  /// The name of this node; null without a cluster, and while this node is no member of it.
  @Nullable String self();

  /// The names of all members in their order, with this one; empty without a cluster.
  List<String> names();

  /// Has another node run an operation. Returns at once; there is an outcome after some seconds at
  /// most.
  ///
  /// @param node one of [#names]
  CompletableFuture<Outcome<?>> run(
      String node, Caller caller, Operation<?, ?> operation, Map<String, @Nullable Object> given);
}
