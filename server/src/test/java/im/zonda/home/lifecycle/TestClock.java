package im.zonda.home.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Time that passes when the test says so; it begins at 1970.
public final class TestClock implements InstantSource {
  private volatile Instant now = Instant.EPOCH;

  @Override
  public Instant instant() {
    return now;
  }

  public void advance(Duration time) {
    now = now.plus(time);
  }
}
