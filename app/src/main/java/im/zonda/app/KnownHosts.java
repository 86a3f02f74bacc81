package im.zonda.app;

import im.zonda.app.doctor.DnsOutcomes;
import im.zonda.app.hosts.HostFacts;
import im.zonda.net.tls.Certificates;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Facts about the hosts of the running server.
record KnownHosts(Certificates certificates, DnsOutcomes outcomes) implements HostFacts {
  @Override
  public @Nullable Certificate certificate(String host) {
    List<X509Certificate> chain = certificates.chainOf(host);
    if (chain.isEmpty()) {
      return null;
    }
    X509Certificate leaf = chain.getFirst();
    return new Certificate(
        leaf.getNotAfter().toInstant(),
        leaf.getSubjectX500Principal().equals(leaf.getIssuerX500Principal()));
  }

  @Override
  public @Nullable Dns dns(String host) {
    DnsOutcomes.Last last = outcomes.find(host);
    return last == null ? null : new Dns(last.time(), last.wrong(), last.local());
  }
}
