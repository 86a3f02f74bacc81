package im.zonda.dns;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.xbill.DNS.Name;
import org.xbill.DNS.SRVRecord;

/// An SRV record of a domain.
///
/// @param record the record
/// @param directTls whether it is one of `_xmpps-server` (XEP-0368)
/// @param authentic whether DNSSEC proves it
record Service(SRVRecord record, boolean directTls, boolean authentic) {
  Name host() {
    return record.getTarget();
  }

  int port() {
    return record.getPort();
  }

  /// The services in the order in which to try them: by priority, among equal ones at random by
  /// weight (RFC 2782). Services of both kinds are ordered together (XEP-0368).
  static List<Service> inOrder(List<Service> services, RandomGenerator random) {
    List<Service> left = new ArrayList<>(services);
    // RFC 2782: those with weight 0 come first, so that they have a small chance.
    left.sort(
        Comparator.<Service>comparingInt(each -> each.record().getPriority())
            .thenComparingInt(each -> Math.min(1, each.record().getWeight())));
    List<Service> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      int priority = left.getFirst().record().getPriority();
      int sum = 0;
      for (Service each : left) {
        sum += each.record().getPriority() == priority ? each.record().getWeight() : 0;
      }
      int chosen = random.nextInt(sum + 1);
      int index = 0;
      int running = left.getFirst().record().getWeight();
      while (running < chosen) {
        index++;
        running += left.get(index).record().getWeight();
      }
      ordered.add(left.remove(index));
    }
    return ordered;
  }
}
