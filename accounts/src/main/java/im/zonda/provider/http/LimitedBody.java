package im.zonda.provider.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// The body of an answer, up to a size.
final class LimitedBody implements BodySubscriber<byte[]> {
  private final int most;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> result = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  /// The answer is too long.
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }

  LimitedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return result;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer each : buffers) {
      if (result.isDone()) {
        return;
      }
      if (each.remaining() > most - body.size()) {
        if (subscription != null) {
          subscription.cancel();
        }
        result.completeExceptionally(new TooLongException());
        return;
      }
      byte[] bytes = new byte[each.remaining()];
      each.get(bytes);
      body.writeBytes(bytes);
    }
  }

  @Override
  public void onError(Throwable reason) {
    result.completeExceptionally(reason);
  }

  @Override
  public void onComplete() {
    result.complete(body.toByteArray());
  }
}
