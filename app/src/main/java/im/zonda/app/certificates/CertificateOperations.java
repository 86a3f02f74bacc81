package im.zonda.app.certificates;

import im.zonda.net.tls.Certificates;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The certificates that clients and other servers get.
///
/// @param certificates those in use
/// @param hosts the hosts of the server
public record CertificateOperations(Certificates certificates, Supplier<List<String>> hosts) {
  private static final int DNS_NAME = 2;

  /// The certificate of a host.
  public record Served(
      @Field(Field.NODE) @Nullable String node,
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("the domains that it names") List<String> names,
      @Field("from when it is valid") Instant begins,
      @Field("until when it is valid") Instant ends,
      @Field("whether it is signed by itself") boolean selfSigned,
      @Field("the chain: the subject of each certificate, then the issuer of the last")
          List<String> chain) {}

  /// Certificates.
  public record Listed(@Field("the certificate of each host") List<Served> certificates) {}

  /// What was done.
  public record Reloaded(@Field("whether a file has another content") boolean changed) {}

  /// `certificate.list`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("certificate.list", Right.SERVER)
          .ofNodes()
          .at("GET /certificates", "List the certificates in use", Nothing.class, Listed.class);

  /// `certificate.reload`.
  public static final Operation<Nothing, Reloaded> RELOAD =
      Operation.change("certificate.reload", Right.SERVER)
          .ofNodes()
          .at(
              "POST /certificates/reload",
              "Read the files of the certificates again, if they have changed",
              Nothing.class,
              Reloaded.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, RELOAD);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, _) -> Outcome.done(list())),
        RELOAD.by((_, _) -> Outcome.done(new Reloaded(certificates.reloadIfChanged()))));
  }

  private Listed list() {
    List<Served> served = new ArrayList<>();
    for (String host : hosts.get()) {
      List<X509Certificate> chain = certificates.chainOf(host);
      if (!chain.isEmpty()) {
        served.add(served(host, chain));
      }
    }
    return new Listed(served);
  }

  private static Served served(String host, List<X509Certificate> chain) {
    X509Certificate leaf = chain.getFirst();
    List<String> subjects = new ArrayList<>();
    chain.forEach(each -> subjects.add(each.getSubjectX500Principal().getName()));
    subjects.add(chain.getLast().getIssuerX500Principal().getName());
    return new Served(
        null,
        host,
        names(leaf),
        leaf.getNotBefore().toInstant(),
        leaf.getNotAfter().toInstant(),
        leaf.getSubjectX500Principal().equals(leaf.getIssuerX500Principal()),
        subjects);
  }

  private static List<String> names(X509Certificate leaf) {
    try {
      if (leaf.getSubjectAlternativeNames() == null) {
        return List.of();
      }
      return leaf.getSubjectAlternativeNames().stream()
          .filter(each -> each.getFirst().equals(DNS_NAME))
          .map(each -> String.valueOf(each.get(1)))
          .toList();
    } catch (CertificateParsingException e) {
      return List.of("cannot be read: " + e.getMessage());
    }
  }
}
