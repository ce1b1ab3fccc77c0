"""LiteLLM's own client of a sidecar, against `contextfit serve`.

    python client.py compress BASE_URL < messages.json    prints {"messages", "tools"} as LiteLLM sends them on
    python client.py retrieve BASE_URL HASH               prints {"original"}
"""

import asyncio
import json
import sys

from litellm.proxy.guardrails.guardrail_hooks.headroom.headroom import HeadroomGuardrail


async def main() -> None:
    what, base, *rest = sys.argv[1:]
    guardrail = HeadroomGuardrail(api_base=base, guardrail_name="contextfit", default_on=True)
    if what == "compress":
        messages = json.load(sys.stdin)
        inputs = {"structured_messages": messages}
        request = {"messages": messages, "model": "gpt-4o"}
        sent = await guardrail.apply_guardrail(inputs, request, "request")
        print(json.dumps({"messages": sent["structured_messages"], "tools": sent.get("tools", [])}))
    else:
        print(json.dumps({"original": await guardrail._call_retrieve(rest[0], None)}))


asyncio.run(main())
