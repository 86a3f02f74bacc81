package im.zonda.net.bosh;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A request that has no response yet.
final class PendingRequest {
  final BoshRequest request;
  final long arrived;

  /// When it came, by [System#nanoTime].
  final long since = System.nanoTime();

  private CompletableFuture<BoshResponse> reply;

  /// @param arrived when it came, in ms
  /// @param reply takes the response
  PendingRequest(BoshRequest request, long arrived, CompletableFuture<BoshResponse> reply) {
    this.request = request;
    this.arrived = arrived;
    this.reply = reply;
  }

  long rid() {
    return request.rid();
  }

  @Nullable String key() {
    return request.attribute("key");
  }

  /// The client has sent it again: the response goes to the later one.
  void repeated(CompletableFuture<BoshResponse> later, BoshResponse toEarlier) {
    reply.complete(toEarlier);
    reply = later;
  }

  void complete(BoshResponse response) {
    reply.complete(response);
  }
}
