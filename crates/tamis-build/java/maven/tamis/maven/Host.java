// The process that started Maven, where it can be asked about tests.
package tamis.maven;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks one question per connection. A process that was killed refuses it, one that was stopped keeps one
 * question waiting for a while: Maven always goes on.
 */
final class Host {
    static final int RUN = 0;
    static final int SKIP = 1;
    static final int HEARD = 2;

    private final InetSocketAddress address;
    private final byte[] token;

    /** What a true answer begins with: by now the port may be that of somebody else. */
    private final byte[] countersign;

    /** How long a question waits. */
    private final int seconds;

    /** A question waited in vain: no more are asked. */
    private volatile boolean isSilent;

    Host(int port, byte[] token, byte[] countersign, int seconds) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        this.address = new InetSocketAddress(loopback, port);
        this.token = token;
        this.countersign = countersign;
        this.seconds = seconds;
    }

    /** The answer to a message, one of these. */
    int ask(Message message, Integer... understood) throws Exception {
        if (isSilent) {
            throw silence();
        }
        // Writing knows no time-out; so somebody else does, and the socket is closed when it takes too long.
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            FutureTask<Integer> answer = new FutureTask<>(() -> converse(socket, message.toBytes()));
            Thread thread = new Thread(answer, "tamis");
            thread.setDaemon(true);
            thread.start();
            int word = answer.get(seconds, TimeUnit.SECONDS);
            if (!Arrays.asList(understood).contains(word)) {
                throw new IOException("its answer is not understood");
            }
            return word;
        } catch (TimeoutException inVain) {
            isSilent = true;
            throw silence();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof Exception ? (Exception) failure.getCause() : failure;
        }
    }

    private IOException silence() {
        return new IOException("it was silent for " + seconds + " seconds");
    }

    private int converse(Socket socket, byte[] message) throws IOException {
        socket.connect(address);
        OutputStream out = socket.getOutputStream();
        out.write(token);
        out.write(Message.encoded(message.length));
        out.write(message);
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] sign = new byte[countersign.length];
        in.readFully(sign);
        if (!Arrays.equals(sign, countersign)) {
            throw new IOException("somebody else answered");
        }
        return in.readUnsignedByte();
    }
}
