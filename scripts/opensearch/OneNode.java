import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** A node of OpenSearch that is alone: its folder and its port on the loopback address are the arguments. It has vectors where their plugin is on the class path. */
public class OneNode extends Node {
  OneNode(Settings settings) {
    super(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "one"), plugins(), false);
  }

  private static List<Class<? extends Plugin>> plugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(List.of(Netty4Plugin.class));
    try {
      plugins.add(Class.forName("org.opensearch.knn.plugin.KNNPlugin").asSubclass(Plugin.class));
    } catch (ClassNotFoundException missing) {
      System.err.println("no plugin for vectors");
    }
    return plugins;
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings = Settings.builder().put("path.home", arguments[0]).put("http.port", arguments[1])
      .put("network.host", "127.0.0.1").put("transport.port", "0").put("discovery.type", "single-node")
      .put("transport.type", "netty4").put("http.type", "netty4").put("cluster.routing.allocation.disk.threshold_enabled", false).build();
    new OneNode(settings).start();
    new CountDownLatch(1).await();
  }
}
