package im.zonda.stream.server;

import im.zonda.stream.PeerCertificates;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Certificates of other servers, made with OpenSSL, valid for a hundred years from November 2026.
final class TestCertificates {
  /// A time at which they are valid.
  static final Instant VALID = Instant.parse("2030-01-01T00:00:00Z");

  /// CN `cn.example`; DNS `a.example`, `*.b.example`, `w*.d.example`, `*.0.0.1`; SRVName
  /// `_xmpp-server.srv.example` and `_xmpp-client.client.example`; xmppAddr `addr.example` and
  /// `user@mail.example`.
  static final String NAMES =
      "MIICHjCCAcSgAwIBAgIUV9yicRW/okElX6Nh54b7+Qyx+ZYwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwK"
          + "Y24uZXhhbXBsZTAgFw0yNjExMjIxNDIwMDZaGA8yMTI2MTAyOTE0MjAwNlowFTETMBEGA1UEAwwKY24u"
          + "ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNsMqsppZyLKVUExYA58buh5qizPBSk0FQI1"
          + "/Qa2igOHO9ujbBVL9oDrahVtumPfEmsQTFhBMvUyIya1Vq9I8/Kjge8wgewwgcoGA1UdEQSBwjCBv4IJ"
          + "YS5leGFtcGxlggsqLmIuZXhhbXBsZYIMdyouZC5leGFtcGxloCYGCCsGAQUFBwgHoBoWGF94bXBwLXNl"
          + "cnZlci5zcnYuZXhhbXBsZaAaBggrBgEFBQcIBaAODAxhZGRyLmV4YW1wbGWgKQYIKwYBBQUHCAegHRYb"
          + "X3htcHAtY2xpZW50LmNsaWVudC5leGFtcGxloB8GCCsGAQUFBwgFoBMMEXVzZXJAbWFpbC5leGFtcGxl"
          + "ggcqLjAuMC4xMB0GA1UdDgQWBBRfjN84HyIdrjzzvjUD6NZwNt9qKTAKBggqhkjOPQQDAgNIADBFAiAx"
          + "r8PZvbofZzKQiEvLTmZqTb274y4LCtPFZ8MLAJj+2AIhAJwU4B/zhNinU9/RgqRAmCW8FK6nq2X5fT+i"
          + "BCUt08S9";

  /// DNS `a.example` and no other name.
  static final String ONLY_A =
      "MIIBljCCAT2gAwIBAgIUdo2F+KQQ0v+rwrh+bNSySkHsmVMwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwK"
          + "Y24uZXhhbXBsZTAgFw0yNjExMjIxOTI5NDZaGA8yMTI2MTAyOTE5Mjk0NlowFTETMBEGA1UEAwwKY24u"
          + "ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABL9psPE2FjzUoW3AY8GyzPq84zFCH4iTAaoS"
          + "hVMaFhS60ySvOpBE8EdNFZ0vyyTMcvwL9PPuf3A0HpO+4pZdPDOjaTBnMB0GA1UdDgQWBBQLgIDkWhtf"
          + "qepclJIBhBwdONfUjjAfBgNVHSMEGDAWgBQLgIDkWhtfqepclJIBhBwdONfUjjAPBgNVHRMBAf8EBTAD"
          + "AQH/MBQGA1UdEQQNMAuCCWEuZXhhbXBsZTAKBggqhkjOPQQDAgNHADBEAiBKe5nkdCp0QKxx2KKqeRtq"
          + "Rjb32OOxbPoeY11nmbGR2wIgewnXdn74KarGMuSFPhwAxklIYDlGO0/p9sCQ/O2XSxg=";

  /// CN `cn.example` and no other name.
  static final String COMMON_NAME =
      "MIIBWTCCAQCgAwIBAgIUPEHG36PDSbbOPdX3OmZ9ZFnFH1cwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwK"
          + "Y24uZXhhbXBsZTAgFw0yNjExMjIxNDIwMDdaGA8yMTI2MTAyOTE0MjAwN1owFTETMBEGA1UEAwwKY24u"
          + "ZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNsMqsppZyLKVUExYA58buh5qizPBSk0FQI1"
          + "/Qa2igOHO9ujbBVL9oDrahVtumPfEmsQTFhBMvUyIya1Vq9I8/KjLDAqMAkGA1UdEwQCMAAwHQYDVR0O"
          + "BBYEFF+M3zgfIh2uPPO+NQPo1nA232opMAoGCCqGSM49BAMCA0cAMEQCIHtchQ+UEZ0AkpOcHsrlMj3H"
          + "xrJOMtzgxXZUB9VsS6abAiA1nXmkgIDLLo8xS49OVme0PhyLvo5rYFy9I+WfoKsN3Q==";

  /// DNS `good.example`, a NUL, `.evil.example`.
  static final String NUL =
      "MIIBeTCCASCgAwIBAgIUW8336aPI5GF5T2MaYZbAa97z0cUwCgYIKoZIzj0EAwIwFzEVMBMGA1UEAwwM"
          + "Z29vZC5leGFtcGxlMCAXDTI2MTEyMjE0MjAwN1oYDzIxMjYxMDI5MTQyMDA3WjAXMRUwEwYDVQQDDAxn"
          + "b29kLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATbDKrKaWciylVBMWAOfG7oeaoszwUp"
          + "NBUCNf0GtooDhzvbo2wVS/aA62oVbbpj3xJrEExYQTL1MiMmtVavSPPyo0gwRjAlBgNVHREEHjAcghpn"
          + "b29kLmV4YW1wbGUALmV2aWwuZXhhbXBsZTAdBgNVHQ4EFgQUX4zfOB8iHa488741A+jWcDbfaikwCgYI"
          + "KoZIzj0EAwIDRwAwRAIgVSP77lrFJHDH1o/QVDjh8Iwt9ZR92CxrdhrVtSQh/PECICx/nQ4SRyzAaNZ9"
          + "TaOJttxgmQHmBGTvSUsjjSFQarqQ";

  private TestCertificates() {}

  /// What a peer with that certificate presents, with what the trust manager says of it.
  static PeerCertificates presented(String certificate, @Nullable String problem) {
    try {
      return new PeerCertificates(
          List.of(
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(
                          new ByteArrayInputStream(Base64.getDecoder().decode(certificate)))),
          problem);
    } catch (CertificateException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
