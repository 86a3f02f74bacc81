package im.zonda.app.jmx;

import im.zonda.metric.Meter;
import im.zonda.metric.Meters.Family;
import im.zonda.metric.Sample;
import im.zonda.metric.TimingCounts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// A meter as an MBean, `im.zonda:type=Stanzas,name=zonda_stanzas_total`. A counter or a gauge has
/// the attribute `Value`, and one with labels an attribute for each combination of their values,
/// such as `message`; times have `Count`, `Seconds`, the sum of them, `P50`, `P99`, `P999` and
/// `Max`, all in seconds and since the start.
///
/// @param values gives the family of a meter at present; null if nothing measures it
record MeterBean(Meter meter, Function<Meter, @Nullable Family> values) implements DynamicMBean {
  private static final String DOMAIN = "im.zonda";
  private static final double NANOS = 1e9;
  private static final double MEDIAN = 0.5;
  private static final double HUNDREDTH = 0.99;
  private static final double THOUSANDTH = 0.999;

  /// Its name: the type is the subject of the meter.
  ObjectName name() throws MalformedObjectNameException {
    String[] words = meter.name().split("_", -1);
    String subject = words[0].equals("zonda") ? words[1] : words[0];
    return new ObjectName(
        DOMAIN
            + ":type="
            + subject.substring(0, 1).toUpperCase(Locale.ROOT)
            + subject.substring(1)
            + ",name="
            + meter.name());
  }

  private Map<String, Number> numbers() {
    Map<String, Number> numbers = new LinkedHashMap<>();
    Family family = values.apply(meter);
    if (family != null) {
      family.samples().forEach(each -> add(numbers, String.join(" ", each.labels()), each));
    }
    return numbers;
  }

  private static void add(Map<String, Number> numbers, String series, Sample sample) {
    String prefix = series.isEmpty() ? "" : series + " ";
    switch (sample) {
      case Sample.Amount(var _, double value) ->
          numbers.put(series.isEmpty() ? "Value" : series, value);
      case Sample.Sum(var _, long count, double seconds) -> {
        numbers.put(prefix + "Count", count);
        numbers.put(prefix + "Seconds", seconds);
      }
      case Sample.Times(var _, TimingCounts counts) -> {
        numbers.put(prefix + "Count", counts.count());
        numbers.put(prefix + "Seconds", seconds(counts.sum()));
        numbers.put(prefix + "P50", seconds(counts.quantile(MEDIAN)));
        numbers.put(prefix + "P99", seconds(counts.quantile(HUNDREDTH)));
        numbers.put(prefix + "P999", seconds(counts.quantile(THOUSANDTH)));
        numbers.put(prefix + "Max", seconds(counts.quantile(1)));
      }
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Number number = numbers().get(attribute);
    if (number == null) {
      throw new AttributeNotFoundException(meter + " has no series " + attribute);
    }
    return number;
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    Map<String, Number> numbers = numbers();
    AttributeList found = new AttributeList();
    for (String each : attributes) {
      Number number = numbers.get(each);
      if (number != null) {
        found.add(new Attribute(each, number));
      }
    }
    return found;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes =
        numbers().entrySet().stream()
            .map(each ->
                new MBeanAttributeInfo(
                    each.getKey(),
                    each.getValue() instanceof Long ? "long" : "double",
                    meter.help(),
                    true,
                    false,
                    false))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(MeterBean.class.getName(), meter.help(), attributes, null, null, null);
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("Meters are read only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(
      String action, @Nullable Object @Nullable [] parameters, String @Nullable [] signature) {
    // A DynamicMBean must have this method; the description of this one declares no operation.
    throw new UnsupportedOperationException("Meters have no operations");
  }
}
