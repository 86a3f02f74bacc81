package im.zonda.dns;

import im.zonda.config.S2s;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Looks up records by asking DNS servers.
public final class DnsRecords implements DnsLookup {
  private final DnsQuestions questions;

  private DnsRecords(DnsQuestions questions) {
    this.questions = questions;
  }

  /// Records from the DNS servers of the settings.
  ///
  /// @param executor runs what answers lead to
  public static DnsRecords create(S2s.Dns settings, InstantSource clock, Executor executor) {
    return new DnsRecords(
        new DnsQuestions(
            DnsServers.of(settings, DnsServers.ROOT_KEYS, clock),
            settings.dane(),
            settings.timeout(),
            clock,
            executor));
  }

  @Override
  public Records<Srv> services(String name) {
    return ask(
        name,
        Type.SRV,
        record ->
            record instanceof SRVRecord srv
                ? new Srv(srv.getPriority(), srv.getWeight(), srv.getPort(), text(srv.getTarget()))
                : null);
  }

  private static String text(Name name) {
    return name.equals(Name.root) ? "" : name.toString(true).toLowerCase(Locale.ROOT);
  }

  @Override
  public Records<InetAddress> addresses(String name) {
    Records<InetAddress> six =
        ask(name, Type.AAAA, record -> record instanceof AAAARecord a ? a.getAddress() : null);
    Records<InetAddress> four =
        ask(name, Type.A, record -> record instanceof ARecord a ? a.getAddress() : null);
    List<InetAddress> all = new ArrayList<>();
    for (Records<InetAddress> each : List.of(six, four)) {
      if (each instanceof Records.Found<InetAddress>(List<InetAddress> found)) {
        all.addAll(found);
      }
    }
    if (!all.isEmpty()) {
      return new Records.Found<>(all);
    }
    return six instanceof Records.Failed<InetAddress> ? six : four;
  }

  private <T> Records<T> ask(String text, int type, Function<Record, @Nullable T> reader) {
    Name name;
    try {
      name = Name.fromString(text, Name.root);
    } catch (TextParseException e) {
      return new Records.None<>(); // DNS cannot have it
    }
    return switch (questions.ask(name, type).join()) {
      case Answer.Failed failed -> new Records.Failed<>(failed.reason());
      case Answer.None _ -> new Records.None<>();
      case Answer.Found found -> {
        List<T> all = new ArrayList<>();
        for (Record each : found.records()) {
          T value = reader.apply(each);
          if (value != null) {
            all.add(value);
          }
        }
        yield all.isEmpty() ? new Records.None<>() : new Records.Found<>(all);
      }
    };
  }
}
