package im.zonda.plugins.webhooks;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// The body of an answer, which is not used. After some bytes no more are read: the connection is
/// closed.
final class ShortBody implements BodySubscriber<Boolean> {
  private static final long MOST = 64 * 1024;

  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private long bytes;

  @Override
  public CompletionStage<Boolean> getBody() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    buffers.forEach(each -> bytes += each.remaining());
    if (bytes > MOST && subscription != null) {
      subscription.cancel();
      end.complete(false);
    }
  }

  @Override
  public void onError(Throwable reason) {
    end.completeExceptionally(reason);
  }

  @Override
  public void onComplete() {
    end.complete(true);
  }
}
