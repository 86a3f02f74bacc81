package im.zonda.net.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
  private static final int HALF = RequestBody.AHEAD_BYTES / 2;

  private final AtomicInteger requests = new AtomicInteger();
  private final RequestBody body =
      new RequestBody(-1, Duration.ofSeconds(10), requests::incrementAndGet);

  private final byte[] target = new byte[2 * RequestBody.AHEAD_BYTES];

  private static ByteBuf bytes(int count) {
    return Unpooled.wrappedBuffer(new byte[count]);
  }

  private int read(int count) throws IOException {
    return body.read(target, 0, count);
  }

  @Test
  void theSocketIsNotReadBeforeTheHandlerAsks() {
    body.add(bytes(1));
    assertThat(body.readsOn()).isFalse();
    assertThat(requests).hasValue(0);
  }

  @Test
  void theSocketIsReadUntilEnoughWaits() throws IOException {
    body.add(bytes(1));
    assertThat(read(1)).isEqualTo(1);
    assertThat(requests).hasValue(1);
    body.add(bytes(RequestBody.AHEAD_BYTES - 1));
    assertThat(body.readsOn()).isTrue();
    body.add(bytes(1));
    assertThat(body.readsOn()).isFalse();
  }

  @Test
  void itIsReadAgainWhenHalfIsTaken() throws IOException {
    body.add(bytes(1));
    read(1);
    body.add(bytes(RequestBody.AHEAD_BYTES));
    body.readsOn();
    read(HALF);
    read(1);
    assertThat(requests).hasValue(1);
    read(1);
    assertThat(requests).hasValue(2);
    read(1);
    assertThat(requests).as("while it is being read").hasValue(2);
  }

  @Test
  void oneCallTakesSeveralParts() throws IOException {
    body.add(Unpooled.wrappedBuffer(new byte[] {1, 2}));
    body.add(Unpooled.wrappedBuffer(new byte[] {3, 4}));
    assertThat(read(3)).isEqualTo(3);
    assertThat(target).startsWith(1, 2, 3);
    assertThat(read(3)).isEqualTo(1);
    assertThat(target).startsWith(4);
  }

  @Test
  void whatHasComeIsReadBeforeTheFailure() throws IOException {
    body.add(bytes(5));
    body.fail("the client is gone");
    assertThat(read(5)).isEqualTo(5);
    assertThat(requests).hasValue(0);
    assertThatThrownBy(() -> read(5)).hasMessage("the client is gone");
  }

  @Test
  void afterTheEndTheSocketIsNotRead() throws IOException {
    body.add(bytes(5));
    body.end();
    assertThat(read(9)).isEqualTo(5);
    assertThat(read(9)).isEqualTo(-1);
    assertThat(body.readsOn()).isFalse();
    assertThat(requests).hasValue(0);
  }

  @Test
  void whatComesAfterItsReleaseIsReleased() {
    ByteBuf before = bytes(5);
    ByteBuf after = bytes(5);
    body.add(before);
    body.release();
    body.add(after);
    assertThat(before.refCnt()).isZero();
    assertThat(after.refCnt()).isZero();
  }
}
