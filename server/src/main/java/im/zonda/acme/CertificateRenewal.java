package im.zonda.acme;

import im.zonda.net.tls.KeyFile;
import im.zonda.net.tls.PemText;
import im.zonda.runtime.FailureText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets certificates for hosts that have none, and replaces them when two thirds of their time are
/// over. After a failure the next attempt waits 5 minutes, then twice as long each time, up to a
/// day, or as long as the authority says. All times differ a little from host to host, so that not
/// everyone asks at once.
///
/// [#run] is for one thread at a time; any thread may ask for the state.
public final class CertificateRenewal {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final Duration FIRST_WAIT = Duration.ofMinutes(5);
  private static final Duration LONGEST_WAIT = Duration.ofDays(1);
  private static final int MAX_DOUBLINGS = 9;

  private final Path folder;
  private final Authority authority;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Map<String, Failure> failures = new HashMap<>();

  /// The part of a certificate's time, up to a twentieth, by which each host is early.
  private final Map<String, Double> early = new HashMap<>();

  private final Set<String> wantedNow = ConcurrentHashMap.newKeySet();
  private volatile List<State> states = List.of();

  /// Where certificates come from.
  @FunctionalInterface
  public interface Authority {
    /// Gets a certificate, with its chain, as PEM. Blocks.
    ///
    /// @throws IOException with a sentence for the administrator if there is none
    String order(List<String> names, KeyPair key) throws IOException, InterruptedException;
  }

  /// @param until until when the authority wants to be left alone, or null
  private record Failure(int count, String reason, Instant next, @Nullable Instant until) {}

  /// How it is with the certificate of a host.
  ///
  /// @param host the virtual host
  /// @param ends when the present certificate ends; null if there is none
  /// @param next when another one is asked for
  /// @param failures how many attempts have failed since the last success
  /// @param failure why the last attempt has failed; null if it has not
  /// @param until until when the authority wants to be left alone, or null
  public record State(
      String host,
      @Nullable Instant ends,
      Instant next,
      int failures,
      @Nullable String failure,
      @Nullable Instant until) {}

  /// @param folder where keys and certificates are kept; need not exist
  public CertificateRenewal(
      Path folder, Authority authority, InstantSource clock, RandomGenerator random) {
    this.folder = folder;
    this.authority = authority;
    this.clock = clock;
    this.random = random;
  }

  /// The file of a host's certificate.
  ///
  /// @param host the domain, as an A-label
  public static Path certificate(Path folder, String host) {
    return folder.resolve(host + ".crt");
  }

  /// The file of a host's key, which is kept when the certificate is replaced.
  ///
  /// @param host the domain, as an A-label
  public static Path key(Path folder, String host) {
    return folder.resolve(host + ".key");
  }

  /// Has the next run ask for a certificate of a host without waiting longer. Any thread may call.
  ///
  /// @param host the virtual host, as an A-label
  public void retry(String host) {
    wantedNow.add(host);
  }

  /// How it is with the certificates, as of the last run.
  public List<State> states() {
    return states;
  }

  /// Gets what is needed. Blocks.
  ///
  /// @param wanted the names of the certificate of each host, the host first; all as A-labels
  /// @return whether there are new certificates
  public boolean run(Map<String, List<String>> wanted) throws InterruptedException {
    boolean changed = false;
    List<State> found = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : new LinkedHashMap<>(wanted).entrySet()) {
      String host = each.getKey();
      if (isDue(host, each.getValue())) {
        changed |= renew(host, each.getValue());
      }
      found.add(state(host, each.getValue()));
    }
    states = List.copyOf(found);
    return changed;
  }

  private State state(String host, List<String> names) {
    X509Certificate leaf = read(host);
    Failure failure = failures.get(host);
    return new State(
        host,
        leaf == null ? null : leaf.getNotAfter().toInstant(),
        failure == null ? dueAt(host, leaf, names) : failure.next(),
        failure == null ? 0 : failure.count(),
        failure == null ? null : failure.reason(),
        failure == null ? null : failure.until());
  }

  private boolean isDue(String host, List<String> names) {
    if (wantedNow.remove(host)) {
      return true;
    }
    Failure failure = failures.get(host);
    Instant due = failure == null ? dueAt(host, read(host), names) : failure.next();
    return !clock.instant().isBefore(due);
  }

  private Instant dueAt(String host, @Nullable X509Certificate leaf, List<String> names) {
    if (leaf == null || !names(leaf).containsAll(names)) {
      return Instant.EPOCH; // now
    }
    Instant begins = leaf.getNotBefore().toInstant();
    Duration time = Duration.between(begins, leaf.getNotAfter().toInstant());
    double part = 2.0 / 3 - early.computeIfAbsent(host, _ -> random.nextDouble() / 20);
    return begins.plusMillis((long) (time.toMillis() * part));
  }

  private boolean renew(String host, List<String> names) throws InterruptedException {
    try {
      Files.createDirectories(folder);
      KeyPair key = KeyFile.ensure(key(folder, host));
      String chain = authority.order(names, key);
      X509Certificate leaf = parse(chain);
      check(leaf, key, names);
      PemText.write(certificate(folder, host), chain, PemText.PUBLIC);
      failures.remove(host);
      LOG.atInfo()
          .addKeyValue("host", host)
          .addKeyValue("names", names)
          .addKeyValue("ends", leaf.getNotAfter().toInstant())
          .log("certificate_issued");
      return true;
    } catch (IOException | RuntimeException e) {
      failed(host, e);
      return false;
    }
  }

  private void failed(String host, Exception reason) {
    Failure before = failures.get(host);
    int count = before == null ? 1 : before.count() + 1;
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(count - 1, MAX_DOUBLINGS));
    wait = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    Duration told = reason instanceof AcmeException e ? e.retryAfter() : null;
    if (told != null && told.compareTo(wait) > 0) {
      wait = told;
    }
    Instant next =
        clock.instant().plusMillis((long) (wait.toMillis() * (1 + random.nextDouble() / 4)));
    String text =
        reason instanceof IOException failure ? FailureText.of(failure) : reason.toString();
    Instant until = told == null ? null : clock.instant().plus(told);
    failures.put(host, new Failure(count, text, next, until));
    LOG.atWarn()
        .addKeyValue("host", host)
        .addKeyValue("failures", count)
        .addKeyValue("next_attempt", next)
        .addKeyValue("reason", text)
        .log("certificate_not_issued");
    LOG.atDebug().setCause(reason).log("certificate_not_issued");
  }

  private void check(X509Certificate leaf, KeyPair key, List<String> names) throws IOException {
    if (!leaf.getPublicKey().equals(key.getPublic())) {
      throw new AcmeException("the authority has sent a certificate of another key");
    }
    if (!names(leaf).containsAll(names)) {
      throw new AcmeException("the authority has sent a certificate without all names");
    }
    if (leaf.getNotAfter().toInstant().isBefore(clock.instant())) {
      throw new AcmeException("the authority has sent a certificate that has ended");
    }
  }

  /// The host's certificate; null if there is none that can be read.
  private @Nullable X509Certificate read(String host) {
    Path file = certificate(folder, host);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return parse(Files.readString(file, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log("certificate_unreadable");
      return null;
    }
  }

  /// The first certificate of a PEM text.
  private static X509Certificate parse(String chain) throws IOException {
    try {
      Certificate first =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
      if (first instanceof X509Certificate leaf) {
        return leaf;
      }
    } catch (CertificateException e) {
      throw new IOException("this is no certificate", e);
    }
    throw new IOException("this is no certificate");
  }

  private static List<String> names(X509Certificate leaf) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = leaf.getSubjectAlternativeNames();
      if (alternatives != null) {
        alternatives.forEach(each -> names.add(String.valueOf(each.get(1))));
      }
    } catch (CertificateException e) {
      LOG.atDebug().setCause(e).log("certificate_without_names");
    }
    return names;
  }
}
