package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys that an issuer publishes. They are kept: an outage of the issuer stops no login with a
/// key that was known before. Any thread may call; one at a time asks the issuer, and the others go
/// on with what is known.
final class RemoteKeys implements KeySource {
  /// Keys older than this are read again, so that one which was withdrawn is soon forgotten.
  static final Duration FRESH = Duration.ofMinutes(5);

  /// Keys older than this are not used.
  static final Duration STALE = Duration.ofHours(24);

  /// The least time from one question to the next.
  static final Duration PAUSE = Duration.ofSeconds(30);

  /// The least time after a failure while no keys are known at all.
  static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(RemoteKeys.class);

  /// Keys, and when they were read.
  private record Known(List<VerificationKey> keys, Instant read) {}

  private final JsonClient client;
  private final String issuer;
  private final @Nullable URI place;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();

  private volatile @Nullable Known known;
  private volatile Instant asked = Instant.MIN;
  private volatile String failure = "";

  /// @param place the JWK set, or null for what the issuer names
  RemoteKeys(JsonClient client, String issuer, @Nullable URI place, InstantSource clock) {
    this.client = client;
    this.issuer = issuer;
    this.place = place;
    this.clock = clock;
  }

  @Override
  public List<VerificationKey> keys() throws ProviderException, InterruptedException {
    Known now = known;
    if (now == null) {
      asking.lockInterruptibly();
      try {
        askFirst();
      } finally {
        asking.unlock();
      }
      now = known;
    } else if (isOlder(now, FRESH) && asking.tryLock()) {
      try {
        boolean _ = askUnlessAsked();
      } finally {
        asking.unlock();
      }
      now = known;
    }
    if (now == null || isOlder(now, STALE)) {
      throw new ProviderException("the keys of " + issuer + " are not known: " + failure);
    }
    return now.keys();
  }

  private boolean isOlder(Known some, Duration age) {
    return some.read().plus(age).isBefore(clock.instant());
  }

  private void askFirst() throws InterruptedException {
    if (known == null && !asked.isAfter(clock.instant().minus(FIRST_PAUSE))) {
      boolean _ = ask();
    }
  }

  @Override
  @SuppressWarnings(
      "ReferenceEquality") // whether anyone has asked meanwhile, with the same answer too
  public boolean refresh() throws InterruptedException {
    Known before = known;
    asking.lockInterruptibly();
    try {
      return known != before || askUnlessAsked();
    } finally {
      asking.unlock();
    }
  }

  /// Asks the issuer if it was not asked a short time ago; whether there are keys that were just
  /// read.
  private boolean askUnlessAsked() throws InterruptedException {
    return !asked.isAfter(clock.instant().minus(PAUSE)) && ask();
  }

  private boolean ask() throws InterruptedException {
    asked = clock.instant();
    try {
      known = new Known(read(), asked);
      return true;
    } catch (ProviderException e) {
      failure = String.valueOf(e.getMessage());
      LOG.atWarn().addKeyValue("issuer", issuer).addKeyValue("reason", failure).log("issuer_away");
      return false;
    }
  }

  @Override
  public List<VerificationKey> readAgain() throws ProviderException, InterruptedException {
    List<VerificationKey> keys = read();
    known = new Known(keys, clock.instant());
    return keys;
  }

  private List<VerificationKey> read() throws ProviderException, InterruptedException {
    URI url = place == null ? Discovery.ask(client, issuer).url("jwks_uri") : place;
    try {
      List<VerificationKey> keys = VerificationKey.ofSet(client.get(url), false);
      if (keys.isEmpty()) {
        throw new ProviderException(JsonClient.place(url) + " has no key that can be used");
      }
      return keys;
    } catch (ParseException e) {
      throw new ProviderException(JsonClient.place(url) + " has not answered with a JWK set", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
